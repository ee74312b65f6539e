import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { referenceOf } from '../../lib/errors.ts';
import {
  actions,
  type Blocks,
  button,
  choiceField,
  divider,
  line,
  moment,
  note,
  type Piece,
  section,
} from '../../slack/blocks.ts';
import { truncateText } from '../../slack/limits.ts';
import { codec } from '../../slack/metadata.ts';
import { modal } from '../../slack/views.ts';
import { type AuditAction, type AuditEntry, auditActions, operator } from '../../store/index.ts';
import { noResultsText, searchBlocks } from '../common/search/form.ts';
import { searchFormat } from '../common/search/search.ts';
import { actionName, actionPieces, detailPieces, unreadableText } from './texts.ts';

/** The person's search, stored in the modal's metadata. */
export const auditMetadata = codec('audit form', z.object({ ...searchFormat, action: z.string().optional() }));
export type AuditChoice = NonNullable<ReturnType<typeof auditMetadata.read>>;

export const pageSize = 15;
export const allActions = 'anything';

export interface AuditList {
  choice: AuditChoice;
  entries: readonly AuditEntry[];
  /** The Older button continues below the entry with this number; undefined if the log was read to its end. */
  next: number | undefined;
  isFirstPage: boolean;
  daysKept: number;
}

export function auditView({ choice, entries, next, isFirstPage, daysKept }: AuditList): ModalView {
  const isAll = choice.action === undefined;
  const emptyText = noResultsText(choice) ?? (isAll ? 'No entries yet.' : 'No results.');
  // Only a text search can stop before the page is full.
  const isUnfinished = next !== undefined && entries.length < pageSize;
  return modal(
    'Audit log',
    [
      ...searchBlocks(choice, { placeholder: 'File, email, name or reference', hasPerson: true, hasDates: true }),
      choiceField('action', 'Action', actionOptions(), choice.action ?? allActions),
      ...(entries.length === 0 ? [section(emptyText)] : entries.flatMap(entryBlocks)),
      ...(isUnfinished ? [note('There are older entries. To search them too, click Older.')] : []),
      divider(),
      actions(
        ...(isFirstPage ? [] : [button('Newest', 'audit.page#newest', { value: 'newest' })]),
        ...(next === undefined ? [] : [button('Older', 'audit.page#older', { value: String(next) })]),
        button('Export as CSV', 'audit.export'),
      ),
      note(`Newest first · kept ${daysKept} days`),
    ],
    { id: 'audit.form', submit: 'Search', metadata: auditMetadata.write(choice) },
  );
}

function actionOptions(): [string, string][] {
  const actions = Object.keys(auditActions) as AuditAction[];
  const options = actions.map((action): [string, string] => [actionName(action), action]);
  return [['All', allActions], ...options.sort(([one], [other]) => one.localeCompare(other))];
}

function entryBlocks(entry: AuditEntry): Blocks {
  const { at, person, reference, details } = entry;
  if (details === undefined) return [divider(), line(unreadableText, ' ', moment(at))];
  const more = truncatePieces(detailPieces(details), maxMoreChars);
  return [
    divider(),
    line(
      person === operator ? 'The operator' : { user: person },
      ' ',
      ...actionPieces(entry, details),
      ...(more.length === 0 ? [] : ['\n', ...more]),
    ),
    line(moment(at), ` · Reference ${referenceOf(reference)}`),
  ];
}

const maxMoreChars = 300;

/** Shortens the texts among the pieces, and leaves out the pieces after them. */
function truncatePieces(pieces: readonly Piece[], maxChars: number): Piece[] {
  let remaining = maxChars;
  return pieces.flatMap((piece): Piece[] => {
    if (remaining <= 0) return [];
    const text = typeof piece === 'string' ? truncateText(piece, remaining) : piece;
    remaining -= typeof piece === 'string' ? piece.length : 10;
    return [text];
  });
}

/** The texts that a search looks at: what the entry shows, except people and the time, and its details in full. */
export function* textsOf(entry: AuditEntry): Iterable<string> {
  const { action, reference, details = {} } = entry;
  yield actionName(action);
  yield [...actionPieces(entry, details), ' ', ...detailPieces(details)]
    .map((piece) => (typeof piece === 'string' ? piece : 'bold' in piece ? piece.bold : ''))
    .join('');
  yield referenceOf(reference);
  yield* textsIn(details);
}

function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsIn(part);
}
