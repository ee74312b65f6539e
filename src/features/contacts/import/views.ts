import type { ModalView } from '@slack/types';
import { contactFieldNames } from '../../../exchange/index.ts';
import { type Blocks, field, header, line, list, note, type Piece, section } from '../../../slack/blocks.ts';
import { limits, truncateText } from '../../../slack/limits.ts';
import { modal } from '../../../slack/views.ts';
import { andList, andMore, count, oneLine, shownAddress } from '../../../slack/words.ts';
import { changedFields, numbersFirst } from '../list/compare.ts';
import { type ListPosition, writePosition } from '../list/position.ts';
import { changePieces } from '../list/views.ts';
import type { ImportPreview } from './operations.ts';

const maxShown = 10;

export function importView(position: ListPosition): ModalView {
  const picker = { type: 'file_input' as const, filetypes: ['csv'], max_files: 1 };
  return modal(
    'Import contacts',
    [
      section(`The first row contains column names: ${contactFieldNames.join(', ')}. Only email is required.`),
      field('file', 'CSV file', picker, {
        hint: 'Up to 2 MB. Separate several groups with |. The file stays in your Slack files.',
      }),
      note("You'll see a preview first. Importing never deletes contacts."),
    ],
    { id: 'contacts.import', submit: 'Preview import', close: 'Cancel', metadata: writePosition(position) },
  );
}

/** What an import would change, and the button that starts it. */
export function previewView(file: string, preview: ImportPreview, position: ListPosition): ModalView {
  const { added, updated, problems, ignoredColumns } = preview;
  const isEmpty = added.length + updated.length === 0;
  const blocks: Blocks = [
    line({ bold: truncateText(oneLine(file), 100) }),
    list(counts(preview)),
    ...listBlocks('Changes', numbersFirst(updated).map(changedPieces)),
    ...listBlocks(
      'New contacts',
      added.map(({ email = '' }) => [shownAddress(email)]),
    ),
    ...listBlocks(`${count(problems.length, 'row')} skipped`, problems.map(problemPieces)),
    ...(ignoredColumns.length === 0 ? [] : [line(`Ignored columns: ${andList(ignoredColumns.map(quoted), maxShown)}`)]),
    ...(isEmpty ? [line('Nothing to import.')] : []),
    note('Empty cells change nothing. Importing never deletes contacts.'),
  ];
  return modal('Import contacts', blocks, {
    id: 'contacts.import-now',
    close: isEmpty ? 'Close' : 'Cancel',
    metadata: writePosition(position),
    submit: isEmpty ? undefined : importLabel(added.length, updated.length),
  });
}

function counts({ added, updated, unchanged, skipped, leftOut }: ImportPreview): Piece[][] {
  const lines = [
    `${count(added.length, 'new contact')}`,
    `${count(updated.length, 'contact')} to change`,
    unchanged > 0 ? `${count(unchanged, 'contact')} unchanged` : '',
    leftOut > 0 ? `${count(leftOut, 'contact')} skipped: they exist, and this is an add-only service` : '',
    skipped.length > 0 ? `${count(skipped.length, 'contact')} managed by the service, skipped: ${someOf(skipped)}` : '',
  ];
  return lines.filter((text) => text !== '').map((text) => [text]);
}

const someOf = (emails: readonly string[]) => andList(emails.map((email) => truncateText(oneLine(email), 100)));

const quoted = (heading: string) => `“${truncateText(oneLine(heading), 100)}”`;

/** The first items under a heading, and how many more there are. Nothing if there are none. */
function listBlocks(heading: string, items: readonly Piece[][]): Blocks {
  if (items.length === 0) return [];
  const omitted = items.length - maxShown;
  return [header(heading), list(items.slice(0, maxShown)), ...(omitted > 0 ? [note(andMore(omitted))] : [])];
}

function changedPieces(change: ImportPreview['updated'][number]): Piece[] {
  const fieldLines = changedFields(change).flatMap((field): Piece[] => ['\n', ...changePieces(field)]);
  return [{ bold: shownAddress(change.from.email ?? '') }, ...fieldLines];
}

const problemPieces = ({ line: number, message }: ImportPreview['problems'][number]): Piece[] => [
  { bold: `Line ${number}:` },
  ` ${truncateText(oneLine(message), 300)}`,
];

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
