import type { ModalView } from '@slack/types';
import { type Blocks, field, header, line, list, note, type Piece, section } from '../../../slack/blocks.ts';
import { cutTo, limits } from '../../../slack/limits.ts';
import { modal } from '../../../slack/views.ts';
import { andList, count, oneLine } from '../../../slack/words.ts';
import { type ListPosition, writePosition } from '../list/position.ts';
import type { ImportPreview } from '../operations.ts';

const maxProblems = 10;

export function importView(position: ListPosition): ModalView {
  const picker = { type: 'file_input' as const, filetypes: ['csv'], max_files: 1 };
  return modal(
    'Import contacts',
    [
      section('The first row names the columns: email, number, language, groups, nick. Only email must be there.'),
      field('file', 'Table (CSV)', picker, {
        hint: 'At most 2 MB. Several groups are separated by | in their cell. The file stays among your files in Slack.',
      }),
      note('You will see what would change before anything does. Nobody is removed by an import.'),
    ],
    { id: 'contacts.import', submit: 'Read the table', close: 'Cancel', metadata: writePosition(position) },
  );
}

/** What an import would change, and the button that starts it. */
export function previewView(file: string, preview: ImportPreview, position: ListPosition): ModalView {
  const { added, updated, problems } = preview;
  const blocks: Blocks = [
    line({ bold: cutTo(oneLine(file), 100) }),
    list(counts(preview)),
    ...(problems.length === 0 ? [] : problemBlocks(problems)),
    ...(added + updated === 0 ? [line('There is nothing to import.')] : []),
    note('Empty cells change nothing, and nobody is removed.'),
  ];
  return modal('Import contacts', blocks, {
    id: 'contacts.importNow',
    close: added + updated === 0 ? 'Close' : 'Cancel',
    metadata: writePosition(position),
    ...(added + updated === 0 ? {} : { submit: importLabel(added, updated) }),
  });
}

function counts({ added, updated, unchanged, skipped, leftOut }: ImportPreview): Piece[][] {
  const lines = [
    `${count(added, 'new contact')}`,
    `${count(updated, 'contact')} to change`,
    unchanged > 0 ? `${count(unchanged, 'contact')} as in the table already` : '',
    leftOut > 0 ? `${count(leftOut, 'contact')} left out: this service only adds, and they are there` : '',
    skipped.length > 0
      ? `${count(skipped.length, 'contact')} in the service’s own list, left alone: ${someOf(skipped)}`
      : '',
  ];
  return lines.filter((text) => text !== '').map((text) => [text]);
}

const someOf = (emails: readonly string[]) => andList(emails.map((email) => cutTo(oneLine(email), 100)));

function problemBlocks(problems: ImportPreview['problems']): Blocks {
  const more = problems.length - maxProblems;
  return [
    header(`${count(problems.length, 'row')} cannot be used`),
    list(
      problems
        .slice(0, maxProblems)
        .map(({ line: number, message }): Piece[] => [{ bold: `Line ${number}:` }, ` ${cutTo(oneLine(message), 200)}`]),
    ),
    ...(more > 0 ? [note(`and ${count(more, 'more', 'more')}`)] : []),
  ];
}

/** "Import 12 new, change 3", or a shorter label if that doesn't fit the button. */
function importLabel(added: number, updated: number): string {
  const text = [
    added > 0 ? `Import ${added.toLocaleString('en')} new` : '',
    updated > 0 ? `change ${updated.toLocaleString('en')}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
  const label = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return label.length <= limits.viewButton ? label : `Import ${count(added + updated, 'contact')}`;
}
