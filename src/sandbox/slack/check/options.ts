import { limits } from './limits.ts';
import { type Check, child, refuse } from './path.ts';
import { entries, type Fields, isFields, list, object, type Rule } from './shapes.ts';
import { anyText, plainText } from './text-objects.ts';
import { link } from './urls.ts';
import { text } from './values.ts';

const value = text(limits.option.value);
const description = plainText(limits.option.description);

/** For selects and the app's suggestions. */
export const plainOption = object({
  required: { text: plainText(limits.option.text), value },
  optional: { description },
});

/** For checkboxes and radio buttons, which can have markup. */
export const markupOption = object({
  required: { text: anyText(limits.option.text), value },
  optional: { description },
});

/** For an overflow menu, whose entries can be links. */
export const menuOption = object({
  required: { text: plainText(limits.option.text), value },
  optional: { description, url: link },
});

export const optionGroup = object({
  required: {
    label: plainText(limits.optionGroup.label),
    options: list(plainOption, { max: limits.optionGroup.options }),
  },
});

/** The bot identifies an option by its value, so values must be unique. */
export const uniqueValues: Rule = (fields, path) => {
  const seen = new Set<string>();
  for (const option of allOptions(fields)) {
    if (typeof option.value !== 'string') continue;
    if (seen.has(option.value)) return refuse(path, 'options must have different values');
    seen.add(option.value);
  }
};

/** An initial option must match an offered one exactly: Slack compares text and description too. */
export const initialIsAnOption: Rule = (fields, path) => {
  const signatures = new Set([...allOptions(fields)].map(signature));
  const check: Check = (option, at) => {
    if (isFields(option) && !signatures.has(signature(option))) refuse(at, 'must match one of the options exactly');
  };
  if (fields.initial_option !== undefined) check(fields.initial_option, child(path, 'initial_option'));
  for (const [index, option] of entries(fields.initial_options).entries()) {
    check(option, child(child(path, 'initial_options'), index));
  }
};

function* allOptions(fields: Fields): Iterable<Fields> {
  const groups = entries(fields.option_groups).filter(isFields);
  for (const options of [fields.options, ...groups.map((group) => group.options)]) {
    yield* entries(options).filter(isFields);
  }
}

function signature(option: Fields): string {
  const { text, value, description } = option;
  return JSON.stringify([comparable(value), ...textParts(text), ...textParts(description)]);
}

function textParts(object: unknown): unknown[] {
  if (!isFields(object)) return [null];
  return [object.type, object.text, object.emoji, object.verbatim].map(comparable);
}

/** Treats objects as null where a plain value is expected: they can be nested to any depth. */
function comparable(part: unknown): unknown {
  return typeof part === 'object' ? null : part;
}
