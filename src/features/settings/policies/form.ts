import type { FieldErrors } from '../../../errors.ts';
import { type Blocks, choiceField, section, textField } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { radioField } from '../../../slack/pickers.ts';
import { notAWholeNumber } from '../errors.ts';
import { fileTypeRules, type Policies, unscannedRules } from './fields.ts';

export function policyBlocks({ fileTypes, extensions, maxFileMb, maxTotalMb, unscanned }: Policies): Blocks {
  return [
    section(
      "Rules for files that people send. They're checked when a file is added, at review, and again before anything is sent.",
    ),
    choiceField(
      'fileTypes',
      'File types',
      [
        ['Any', 'any'],
        ['Only these', 'allow'],
        ['All except these', 'block'],
      ],
      fileTypes,
    ),
    textField('extensions', 'Extensions', {
      value: extensions.join(', '),
      placeholder: 'pdf, docx, png',
      hint: 'The first bytes are checked too. Only these: they must fit the extension, if its type has a signature. All except these: files that look like one of these are refused.',
      optional: true,
      multiline: true,
    }),
    textField('maxFileMb', 'Largest file (MB)', {
      value: textOf(maxFileMb),
      hint: 'Leave empty for no limit.',
      optional: true,
      maxLength: 7,
    }),
    textField('maxTotalMb', 'Largest transfer (MB)', {
      value: textOf(maxTotalMb),
      hint: 'All files of a transfer together. Leave empty for no limit.',
      optional: true,
      maxLength: 7,
    }),
    section(
      "If Dropline's operator has set up a malware scanner, all files are scanned when they're sent or downloaded. /drop status shows whether there is one. Infected files can't be sent, and only admins can download them.",
    ),
    radioField(
      'unscanned',
      "Files that can't be scanned",
      [
        {
          label: 'Block',
          value: 'block',
          description: 'Not sent or delivered, for example if too large or the scanner is down.',
        },
        {
          label: 'Allow and note it',
          value: 'note',
          description: 'The transfer, the inbox and the audit log say “not scanned”.',
        },
      ],
      unscanned,
      { hint: 'Always blocked if the operator requires scanning.' },
    ),
  ];
}

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value));

/** What an admin entered. Fields that Slack didn't send and invalid numbers are left out, so they stay as they are. */
export function readPolicies(filled: Filled, errors: FieldErrors): Partial<Policies> {
  const fileTypes = fileTypeRules.find((rule) => rule === filled.choice('fileTypes'));
  const unscanned = unscannedRules.find((rule) => rule === filled.choice('unscanned'));
  return {
    ...(fileTypes === undefined ? {} : { fileTypes }),
    ...(filled.has('extensions') ? { extensions: extensionsIn(filled.text('extensions')) } : {}),
    ...errors.check(() => megabytesIn(filled, 'maxFileMb')),
    ...errors.check(() => megabytesIn(filled, 'maxTotalMb')),
    ...(unscanned === undefined ? {} : { unscanned }),
  };
}

function extensionsIn(text: string): string[] {
  const extensions = text.split(/[\s,;]+/).map((extension) => extension.toLowerCase().replace(/^\*?\./, ''));
  return [...new Set(extensions.filter((extension) => extension !== ''))];
}

function megabytesIn(filled: Filled, field: 'maxFileMb' | 'maxTotalMb'): Partial<Policies> {
  if (!filled.has(field)) return {};
  const text = filled.text(field);
  if (text === '') return { [field]: undefined };
  if (/^\d+$/.test(text) && Number(text) >= 1) return { [field]: Number(text) };
  throw notAWholeNumber(field);
}
