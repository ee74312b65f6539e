import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { referenceOf } from '../../errors.ts';
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
import { cutTo } from '../../slack/limits.ts';
import { codec } from '../../slack/metadata.ts';
import { personField } from '../../slack/pickers.ts';
import { modal } from '../../slack/views.ts';
import { oneLine } from '../../slack/words.ts';
import type { AuditEntry } from '../../store/index.ts';

/** The filter: person and action. */
export const auditMetadata = codec(
  'audit form',
  z.object({ person: z.string().optional(), act: z.string().optional() }),
);
export type AuditChoice = NonNullable<ReturnType<typeof auditMetadata.read>>;

export const pageSize = 15;
const allActions = 'anything';

export interface AuditList {
  choice: AuditChoice;
  /** The actions to filter by. */
  knownActions: readonly string[];
  entries: readonly AuditEntry[];
  hasMore: boolean;
  isFirstPage: boolean;
}

export function auditView({ choice, knownActions, entries, hasMore, isFirstPage }: AuditList): ModalView {
  const last = entries.at(-1)?.number;
  const isAll = choice.person === undefined && choice.act === undefined;
  const emptyText = isAll ? 'No entries yet.' : 'No results.';
  return modal(
    'Audit log',
    [
      personField('person', 'Person', choice.person, { optional: true }),
      choiceField('act', 'Action', actionOptions(knownActions), choice.act ?? allActions),
      ...(entries.length === 0 ? [section(emptyText)] : entries.flatMap(entryBlocks)),
      divider(),
      actions(
        ...(isFirstPage ? [] : [button('Newest', 'audit.page#newest', { value: 'newest' })]),
        ...(hasMore && last !== undefined ? [button('Older', 'audit.page#older', { value: String(last) })] : []),
        button('Export as CSV', 'audit.export'),
      ),
      note('Newest first · kept 400 days'),
    ],
    { id: 'audit.form', submit: 'Filter', metadata: auditMetadata.write(choice) },
  );
}

function actionOptions(knownActions: readonly string[]): [string, string][] {
  const shown = knownActions.filter((action) => action.length <= 75).slice(0, 99);
  return [['All', allActions], ...shown.map((action): [string, string] => [actionName(action), action])];
}

/** Undefined for all actions. */
export function chosenAction(value: string | undefined): string | undefined {
  return value === allActions ? undefined : value;
}

function entryBlocks({ at, person, act, outcome, reference, details }: AuditEntry): Blocks {
  const detailLine = detailText(details);
  const pieces: Piece[] = [
    moment(at),
    ' ',
    { user: person },
    ' ',
    { bold: actionName(act) },
    `: ${outcomeText(outcome)}`,
    detailLine === '' ? '' : `\n${detailLine}`,
    `\nReference ${referenceOf(reference)}`,
  ];
  return [divider(), line(...pieces)];
}

export const exportingText = "I'll send you the CSV in a direct message.";

const actionNames: Record<string, string> = {
  connect: 'Connected the workspace',
  disconnect: 'Disconnected the workspace',
  confirm: 'Confirmed a transfer',
  dispatch: 'Sent files',
  grant: 'Requested files',
  cancel: 'Cancelled a transfer',
  download: 'Downloaded a file',
  settings: 'Changed settings',
};

/** The name of an action: from the list above, or its stored name. */
export function actionName(action: string): string {
  return actionNames[action] ?? `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
}

/** The outcome in words: "done", "sent", or the error code. */
export function outcomeText(outcome: string): string {
  return outcome.replaceAll('-', ' ');
}

/** The details of an audit entry in one line. Names in them are untrusted. */
export function detailText(details: unknown, maxChars = 300): string {
  if (typeof details !== 'object' || details === null) return '';
  const parts = Object.entries(details).map(([key, value]) => [key, textOf(value)] as const);
  const shown = parts.filter(([, text]) => text !== '').map(([key, text]) => `${key}: ${text}`);
  return cutTo(oneLine(shown.join('; ')), maxChars);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter((text) => text !== '')
      .join(', ');
  if (typeof value !== 'object') return String(value);
  const { name, sentence: message } = value as { name?: unknown; sentence?: unknown };
  const text = name ?? message;
  return typeof text === 'string' ? text : JSON.stringify(value);
}
