import { limits } from '../limits.ts';
import { type Check, child, type Path, refuse } from '../path.ts';
import { richText } from '../rich-text.ts';
import { type Fields, list, noDuplicates, object, type Rule, variant } from '../shapes.ts';
import { placeholder } from '../text-objects.ts';
import { webUrl } from '../urls.ts';
import { flag, id, integer, matching, oneOf, text } from '../values.ts';
import { focus_on_load } from './focus.ts';

const dispatch_action_config = object(
  { required: { trigger_actions_on: list(oneOf('on_enter_pressed', 'on_character_entered'), { max: 2 }) } },
  noDuplicates('trigger_actions_on'),
);

const common = { action_id: id, placeholder, focus_on_load, dispatch_action_config };

const maxLength = limits.plainTextInput.length;

export const plainTextInput = variant(
  {
    optional: {
      ...common,
      initial_value: text(maxLength),
      multiline: flag,
      min_length: integer(0, maxLength),
      max_length: integer(1, maxLength),
    },
  },
  ordered('min_length', 'max_length'),
  (fields, path) => {
    const { initial_value: initial, max_length: max } = fields;
    if (typeof initial === 'string' && typeof max === 'number' && initial.length > max) {
      refuse(child(path, 'initial_value'), 'must not be longer than max_length');
    }
  },
);

export const emailInput = variant({
  optional: { ...common, initial_value: matching(/^[^\s@]+@[^\s@]+$/, 'an e-mail address') },
});

export const urlInput = variant({ optional: { ...common, initial_value: webUrl } });

const number = matching(/^-?\d+(\.\d+)?$/, 'a number, written as a string');

export const numberInput = variant(
  {
    required: { is_decimal_allowed: flag },
    optional: { ...common, initial_value: number, min_value: number, max_value: number },
  },
  integerUnlessDecimalAllowed,
  ordered('min_value', 'max_value'),
  ordered('min_value', 'initial_value'),
  ordered('initial_value', 'max_value'),
);

const lines = integer(1, limits.richTextInput.lines);

export const richTextInput = variant(
  {
    required: { action_id: id },
    optional: {
      ...common,
      initial_value: richText,
      min_lines: lines,
      max_lines: lines,
    },
  },
  ordered('min_lines', 'max_lines'),
);

export const fileInput = variant({
  optional: {
    action_id: id,
    filetypes: list(matching(/^[a-z0-9_]{1,32}$/, 'a file extension without its dot')),
    max_files: integer(1, limits.fileInput.files),
  },
});

function ordered(smaller: string, larger: string): Rule {
  return (fields, path) => {
    if (numeric(fields[smaller]) > numeric(fields[larger])) {
      refuse(path, `${smaller} cannot be greater than ${larger}`);
    }
  };
}

/** Comparisons with NaN are false, so a missing or invalid value passes here. */
function numeric(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
}

function integerUnlessDecimalAllowed(fields: Fields, path: Path): void {
  if (fields.is_decimal_allowed !== false) return;
  const check: Check = (value, at) => {
    if (typeof value === 'string' && value.includes('.')) refuse(at, 'must be a whole number');
  };
  for (const name of ['initial_value', 'min_value', 'max_value']) check(fields[name], child(path, name));
}
