import { type Blocks, choiceField, section, textField } from '../../../slack/blocks.ts';
import { radioField } from '../../../slack/pickers.ts';
import type { FileRules } from '../repository.ts';

export function policyBlocks({ fileTypes, extensions, maxFileMb, maxTotalMb, unscanned }: FileRules): Blocks {
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
      value: maxFileMb?.toString(),
      hint: 'Leave empty for no limit.',
      optional: true,
      maxLength: 7,
    }),
    textField('maxTotalMb', 'Largest transfer (MB)', {
      value: maxTotalMb?.toString(),
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
