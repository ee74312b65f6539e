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
import { truncateText } from '../../slack/limits.ts';
import { codec } from '../../slack/metadata.ts';
import { modal } from '../../slack/views.ts';
import { oneLine } from '../../slack/words.ts';
import type { AuditEntry } from '../../store/index.ts';
import { noResultsText, searchBlocks, searchFormat } from '../common/search/form.ts';
import { titles } from '../settings/fields.ts';

/** The person's search, stored in the modal's metadata. */
export const auditMetadata = codec('audit form', z.object({ ...searchFormat, action: z.string().optional() }));
export type AuditChoice = NonNullable<ReturnType<typeof auditMetadata.read>>;

export const pageSize = 15;
const allActions = 'anything';

export interface AuditList {
  choice: AuditChoice;
  /** The actions to filter by. */
  knownActions: readonly string[];
  entries: readonly AuditEntry[];
  /** The Older button continues below the entry with this number; undefined if the log was read to its end. */
  next: number | undefined;
  isFirstPage: boolean;
}

export function auditView({ choice, knownActions, entries, next, isFirstPage }: AuditList): ModalView {
  const isAll = choice.action === undefined;
  const emptyText = noResultsText(choice) ?? (isAll ? 'No entries yet.' : 'No results.');
  // Only a text search can stop before the page is full.
  const isUnfinished = next !== undefined && entries.length < pageSize;
  return modal(
    'Audit log',
    [
      ...searchBlocks(choice, { placeholder: 'File, email, name or reference', hasPerson: true, hasDates: true }),
      choiceField('action', 'Action', actionOptions(knownActions), choice.action ?? allActions),
      ...(entries.length === 0 ? [section(emptyText)] : entries.flatMap(entryBlocks)),
      ...(isUnfinished ? [note('There are older entries. To search them too, click Older.')] : []),
      divider(),
      actions(
        ...(isFirstPage ? [] : [button('Newest', 'audit.page#newest', { value: 'newest' })]),
        ...(next === undefined ? [] : [button('Older', 'audit.page#older', { value: String(next) })]),
        button('Export as CSV', 'audit.export'),
      ),
      note('Newest first · kept 400 days'),
    ],
    { id: 'audit.form', submit: 'Search', metadata: auditMetadata.write(choice) },
  );
}

function actionOptions(knownActions: readonly string[]): [string, string][] {
  const offeredActions = knownActions.filter((action) => action.length <= 75).slice(0, 99);
  return [['All', allActions], ...offeredActions.map((action): [string, string] => [actionName(action), action])];
}

/** The action chosen in the filter; undefined for all actions. */
export function chosenAction(value: string | undefined): string | undefined {
  return value === allActions ? undefined : value;
}

function entryBlocks({ at, person, action, outcome, reference, details }: AuditEntry): Blocks {
  return [
    divider(),
    line(
      { user: person },
      ' ',
      ...actionPieces(action, outcome),
      ...personPieces(details),
      ...detailPieces(action, details),
    ),
    line(moment(at), ` · Reference ${referenceOf(reference)}`),
  ];
}

export const exportingText = "I'll send you the CSV in a direct message.";

/** The texts for an action that was done, and for one that was only tried, by the stored name of the action. */
const actionTexts: Record<string, [done: string, tried: string]> = {
  connect: ['connected the workspace', 'connect the workspace'],
  disconnect: ['disconnected the workspace', 'disconnect the workspace'],
  confirm: ['confirmed a transfer', 'confirm a transfer'],
  send: ['sent files', 'send files'],
  'ask for files': ['confirmed a file request', 'confirm a file request'],
  request: ['requested files', 'request files'],
  cancel: ['cancelled a transfer', 'cancel a transfer'],
  'ask for a download': ['asked for a download', 'ask for a download'],
  download: ['downloaded a file', 'download a file'],
  take: ['took an inbox item', 'take an inbox item'],
  'take over': ['took over an inbox item', 'take over an inbox item'],
  'mark done': ['marked an inbox item as done', 'mark an inbox item as done'],
  reopen: ['reopened an inbox item', 'reopen an inbox item'],
  'tick off': ['ticked off a point of a checklist', 'tick off a point of a checklist'],
  untick: ['unticked a point of a checklist', 'untick a point of a checklist'],
  settings: ['changed settings', 'change settings'],
  'audit export': ['exported the audit log', 'export the audit log'],
  'contacts export': ['exported contacts', 'export contacts'],
  'contacts add': ['added a contact', 'add a contact'],
  'contacts edit': ['edited a contact', 'edit a contact'],
  'contacts remove': ['removed a contact', 'remove a contact'],
  'contacts import': ['imported contacts', 'import contacts'],
  'contacts group': ['changed a group', 'change a group'],
  'remove infected mark': ['removed a malware mark', 'remove a malware mark'],
  pause: ['paused', 'pause'],
  resume: ['resumed', 'resume'],
  'release hold': ['resumed sending', 'resume sending'],
  'resume polling': ['resumed checking for files', 'resume checking for files'],
  'clear recipients': ["reset the account's recipients", "reset the account's recipients"],
  'remove uploaded files': ['deleted pending uploads', 'delete pending uploads'],
  'remove unexpected files': ['deleted unexpected files', 'delete unexpected files'],
};

/** The name of an action in the filter: from the list above, or its stored name. */
export function actionName(action: string): string {
  const [name] = actionTexts[action] ?? [action];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Outcomes of an action that was carried out. All others mean that it was only tried. */
const doneTexts: Record<string, string> = {
  done: '',
  sent: '',
  difference: ', with differences',
  duplicate: ' twice',
};

const failureTexts: Record<string, string> = {
  failed: 'failed',
  unknown: 'outcome unknown',
  'unexpected-files': 'blocked by unexpected files',
  'switched-off': 'turned off',
  paused: 'paused by an admin',
  'credentials-refused': 'API key rejected',
};

function actionPieces(action: string, outcome: string): Piece[] {
  const [done, tried] = actionTexts[action] ?? [action, action];
  const doneText = doneTexts[outcome];
  if (doneText !== undefined) return [{ bold: `${done}${doneText}` }];
  return ['tried to ', { bold: tried }, `: ${failureTexts[outcome] ?? outcome.replaceAll('-', ' ')}`];
}

/** The text before another person's name, by the stored name of the detail. */
const personTexts: Record<string, string> = {
  holder: ', taken before by ',
  requester: ', requested by ',
};

function personPieces(details: unknown): Piece[] {
  return Object.entries(details ?? {}).flatMap(([key, person]): Piece[] => {
    const text = personTexts[key];
    return text === undefined || typeof person !== 'string' ? [] : [text, { user: person }];
  });
}

const maxDetailChars = 300;

/** The texts that a search looks at: what the entry shows, except people and the time, and its details in full. */
export function* textsOf({ action, outcome, reference, details }: AuditEntry): Iterable<string> {
  yield actionName(action);
  yield actionPieces(action, outcome)
    .map((piece) => (typeof piece === 'string' ? piece : 'bold' in piece ? piece.bold : ''))
    .join('');
  yield referenceOf(reference);
  yield detailText(action, details);
}

/** The details of an entry, without redundant ones. Names in them are untrusted. */
function detailText(action: string, details: unknown): string {
  if (typeof details !== 'object' || details === null) return '';
  const parts = Object.entries(details)
    .filter(
      ([key]) => key !== 'confirmed' && personTexts[key] === undefined && (key !== 'channels' || action !== 'settings'),
    )
    .map(([key, value]) => [labelOf(key), textOf(key, value)] as const);
  const detailTexts = parts.filter(([, text]) => text !== '').map(([label, text]) => `${label}${text}`);
  return oneLine(detailTexts.join('; '));
}

function detailPieces(action: string, details: unknown): Piece[] {
  const text = truncateText(detailText(action, details), maxDetailChars);
  if (text === '') return [];
  return ['\n', ...(action === 'settings' || action === 'connect' ? withNames(text) : [text])];
}

/** Labels of stored details; others are shown with their stored name. */
const labels: Record<string, string> = {
  baseUrl: 'service: ',
  username: 'account: ',
  recipients: 'to: ',
  contacts: 'contacts: ',
  emails: 'contacts: ',
  sender: 'from: ',
  result: '',
  difference: '',
  changed: '',
  paused: '',
  resumed: '',
  olderThan: 'without entries before: ',
};

/** Ids of transfers, requests and edits. Their own entry has the same reference. */
const idKeys = ['transfer', 'request', 'edit', 'other'];

const labelOf = (key: string) => (idKeys.includes(key) ? 'reference: ' : (labels[key] ?? `${key}: `));

function textOf(key: string, value: unknown): string {
  if (value === null || value === undefined || value === 0) return '';
  if (Array.isArray(value))
    return value
      .map((item) => textOf(key, item))
      .filter((text) => text !== '')
      .join(', ');
  if (idKeys.includes(key) && typeof value === 'string') return referenceOf(value);
  if (key === 'changed' && typeof value === 'string') return changeText(value);
  if (typeof value !== 'object') return String(value);
  const { name, message } = value as { name?: unknown; message?: unknown };
  const text = name ?? message;
  return typeof text === 'string' ? text : JSON.stringify(value);
}

/** A change of a setting. Older versions stored names of fields, or values as JSON. */
function changeText(change: string): string {
  const title = Object.entries(titles).find(([field]) => field === change)?.[1];
  return title ?? change.replace(/ from null to /, ' from not set to ').replace(/ to null$/, ' to not set');
}

/** Shows the ids of people and channels as names. */
function withNames(text: string): Piece[] {
  return text.split(/"?\b([CGUW][A-Z0-9]{8,})\b"?/).map((part, index): Piece => {
    if (index % 2 === 0) return part;
    return /^[CG]/.test(part) ? { channel: part } : { user: part };
  });
}
