import { referenceOf } from '../../lib/errors.ts';
import type { Piece } from '../../slack/blocks.ts';
import { truncateText } from '../../slack/limits.ts';
import { andList, andMore, count, oneLine, sizeOf } from '../../slack/words.ts';
import type { AuditAction, AuditFields } from '../../store/index.ts';

/** `{}` is what it was done to, from the details; `anything` if that is unknown. */
type ActionText = [done: string, tried: string, anything?: string];

const texts: Record<AuditAction, ActionText> = {
  connect: ['connected the workspace', 'connect the workspace'],
  disconnect: ['disconnected the workspace', 'disconnect the workspace'],
  'rename desk': ['renamed a desk', 'rename a desk'],
  confirm: ['confirmed a transfer', 'confirm a transfer'],
  send: ['sent {}', 'send {}', 'files'],
  'ask for files': ['confirmed a file request', 'confirm a file request'],
  request: ['sent a file request {}', 'send a file request {}', 'to contacts'],
  cancel: ['cancelled {}', 'cancel {}', 'a transfer'],
  'ask for approval': ['asked for approval of {}', 'ask for approval of {}', 'a transfer'],
  approve: ['approved {}', 'approve {}', 'a transfer'],
  decline: ['declined {}', 'decline {}', 'a transfer'],
  'ask for a download': ['got a link to {}', 'ask for a download of {}', 'a file'],
  download: ['downloaded {}', 'download {}', 'a file'],
  'open file': ['opened {} to review it', 'open {} to review it', 'a file'],
  take: ['took {}', 'take {}', 'an inbox item'],
  'take over': ['took over {}', 'take over {}', 'an inbox item'],
  'mark done': ['marked {} as done', 'mark {} as done', 'an inbox item'],
  reopen: ['reopened {}', 'reopen {}', 'an inbox item'],
  'tick off': ['ticked off {}', 'tick off {}', 'a point of a checklist'],
  untick: ['unticked {}', 'untick {}', 'a point of a checklist'],
  settings: ['changed settings', 'change settings'],
  'move files': ['moved received files', 'move received files'],
  pause: ['paused {}', 'pause {}', 'sending, requests or downloads'],
  resume: ['resumed {}', 'resume {}', 'sending, requests or downloads'],
  'release hold': ['released the hold on sending', 'release the hold on sending'],
  'resume polling': ['resumed checking for files', 'resume checking for files'],
  'clear recipients': ["reset the account's recipients", "reset the account's recipients"],
  'remove uploaded files': ['deleted {} from the account', 'delete {} from the account', 'pending uploads'],
  'remove unexpected files': ['deleted {} in order to send', 'delete {} in order to send', 'unexpected files'],
  'remove infected mark': ['removed the malware mark of {}', 'remove the malware mark of {}', 'a file'],
  'contacts add': ['added {} to the contacts', 'add {} to the contacts', 'people'],
  'contacts edit': ['edited {} in the contacts', 'edit {} in the contacts', 'a person'],
  'contacts remove': ['removed {} from the contacts', 'remove {} from the contacts', 'people'],
  'contacts import': ['imported {} into the contacts', 'import {} into the contacts', 'a table'],
  'contacts group': ['changed the group of {}', 'change the group of {}', 'contacts'],
  'contacts export': ['exported contacts', 'export contacts'],
  'audit export': ['exported the audit log', 'export the audit log'],
  receipt: ['got a receipt of {}', 'get a receipt of {}', 'a transfer'],
  restore: ['restored Dropline from a backup', 'restore Dropline from a backup'],
};

type InAction = 'point' | 'target' | 'contacts' | 'files' | 'sender' | 'recipients';
type Hidden = 'channels' | 'edit' | 'confirmed' | 'approvedAt';
type Detail = Exclude<keyof AuditFields, InAction | Hidden>;
type DetailText<K extends Detail> = (value: NonNullable<AuditFields[K]>) => Piece[];

/** The texts of the details that the action's own text doesn't name, in this order. */
const detailTexts: { [K in Detail]: DetailText<K> } = {
  result: ({ message }) => [oneLine(message)],
  difference: ({ message }) => [oneLine(message)],
  reason: (reason) => [`reason: ${oneLine(reason)}`],
  rules: (rules) => [`rule: ${oneLine(rules)}`],
  scan: ({ clean, unscanned, infected }) => {
    const reasons = namesIn(unscanned, ({ name, reason }) => (reason === '' ? name : `${name} (${reason})`));
    const results = [
      clean > 0 && `${count(clean, 'file')} clean`,
      unscanned.length > 0 && `${unscanned.length} not scanned: ${reasons.join(', ')}`,
      infected !== undefined && `malware found: ${oneLine(infected)}`,
    ];
    return [results.filter(Boolean).join(', ')];
  },
  earlierSha256: () => ['the file has changed since an earlier download'],
  changes: (changes) => [namesIn(changes, String).join('; ')],
  changed: (changes) => joined(changes.map(changePieces)),
  baseUrl: (url) => [`service: ${oneLine(url)}`],
  username: (name) => [`account: ${oneLine(name)}`],
  holder: (user) => ['taken before by ', user],
  requester: (user) => ['requested by ', user],
  approver: (user) => ['approved by ', user],
  hold: (reason) => [holdReasons[reason]],
  queued: (number) => [`${count(number, 'transfer')} queued`],
  added: (number) => [`${number} added`],
  updated: (number) => [`${number} updated`],
  removed: (number) => [`${number} removed`],
  rows: (number) => [count(number, 'row')],
  items: (number) => [count(number, 'item')],
  movedFrom: (owner) => ['from ', owner],
  movedTo: (channel) => ['to ', channel],
  olderThan: (time) => [`without entries before ${time}`],
  unconfirmed: (number) => [
    `${count(number, 'transfer or contact change', 'transfers and contact changes')} marked as unconfirmed`,
  ],
  restored: (emails) => [`restored: ${namesIn(emails, String).join(', ')}`],
  altered: (emails) => [`changed by the service: ${namesIn(emails, String).join(', ')}`],
  transfer: (id) => [`transfer ${referenceOf(id)}`],
  renamedTo: (name) => [`new name: ${oneLine(name)}`],
  desk: (name) => [`desk: ${oneLine(name)}`],
};

const holdReasons = {
  committing: 'the outcome was being checked',
  unknown: 'the outcome was unknown',
  difference: 'something else was sent',
};

/** Outcomes of an action that was carried out. All others mean that it was only tried. */
const doneTexts: Record<string, string> = {
  done: '',
  sent: '',
  difference: ', with differences',
  duplicate: ' twice',
};

const failureTexts: Record<string, string> = {
  unknown: 'outcome unknown',
  decided: 'already decided',
  used: 'already used',
  exists: 'it already exists',
  held: 'sending is on hold',
  changed: 'it has changed',
  invalid: "the input wasn't valid",
  'unexpected-files': 'blocked by unexpected files',
  'only-adds': 'the service only adds contacts',
  'no-channel': "I couldn't post in Slack",
  'no-approver': 'no one else can approve it',
  'switched-off': 'turned off',
  paused: 'paused by an admin',
  'credentials-refused': 'API key rejected',
  'cut-short': 'connection dropped',
};

/** Shown instead of an entry that can't be trusted. */
export const unreadableText =
  "⚠️ This entry can't be trusted: it was changed in the database, or its key is missing from SECRET_KEY.";

/** The name of an action in the filter. */
export function actionName(action: AuditAction): string {
  const [done, , anything = ''] = texts[action];
  const name = done.replace('{}', anything);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

interface Acted {
  action: AuditAction;
  outcome: string;
}

/** What the person did or tried, without the person. Names in it are untrusted. */
export function actionPieces({ action, outcome }: Acted, details: AuditFields): Piece[] {
  const [done, tried, anything = ''] = texts[action];
  const object = objectOf(details, { items: 3, chars: 80 });
  const doneText = doneTexts[outcome];
  const [before = '', after = ''] = (doneText === undefined ? tried : done).split('{}');
  const pieces = [{ bold: before }, object || { bold: anything }, { bold: `${after}${doneText ?? ''}` }];
  if (doneText !== undefined) return pieces;
  return ['tried to ', ...pieces, `: ${failureTexts[outcome] ?? outcome.replaceAll('-', ' ')}`];
}

/** The details that `actionPieces` doesn't name. */
export function detailPieces(details: AuditFields): Piece[] {
  const size = sizeIn(details);
  return joined([...(size === undefined ? [] : [[sizeText(size)]]), ...detailParts(details)]);
}

/** The cells of a CSV row. The last one has what the other columns don't have. */
export function cellsOf(details: AuditFields) {
  const { files = [], recipients = [], ...others } = details;
  const object = objectOf(others, { items: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY });
  return {
    files: namesIn(files, ({ name }) => name).join('; '),
    recipients: namesIn(recipients, String).join('; '),
    size: sizeIn(details)?.toString() ?? '',
    sha256: files.some((file) => 'sha256' in file) ? namesIn(files, ({ sha256 = '–' }) => sha256).join('; ') : '',
    details: joined([...(object === '' ? [] : [[object]]), ...detailParts(details)]),
  };
}

function detailParts(details: AuditFields): Piece[][] {
  const isEmpty = (value: unknown) => value === 0 || (Array.isArray(value) && value.length === 0);
  const partOf = <K extends Detail>(name: K): Piece[] => {
    const value: AuditFields[K] = details[name];
    const textOf: DetailText<K> = detailTexts[name];
    return value === undefined || isEmpty(value) ? [] : textOf(value);
  };
  const names = Object.keys(detailTexts) as Detail[];
  return names.map(partOf).filter(([first = '']) => first !== '');
}

const joined = (parts: Piece[][]): Piece[] =>
  parts.flatMap((pieces, index) => (index === 0 ? pieces : ['; ', ...pieces]));

/** What the action was done to, with only the first items and characters of what is long. */
function objectOf(details: AuditFields, { items, chars }: { items: number; chars: number }): string {
  const { point, target, contacts = [], files = [], sender, recipients = [] } = details;
  const short = (text: string) => truncateText(oneLine(text), chars);
  const some = <T>(list: List<T>, textOf: (item: T) => string) => {
    const known = list.filter((item): item is T => omittedIn(item) === 0);
    const total = known.length + list.reduce((sum, item) => sum + omittedIn(item), 0);
    return andList(
      known.map((item) => short(textOf(item))),
      items,
      total,
    );
  };
  const parts = [
    point !== undefined && `“${short(point)}” of the request`,
    target,
    some(contacts, String),
    some(files, ({ name }) => name),
    sender !== undefined && `from ${short(sender)}`,
    recipients.length > 0 && `to ${some(recipients, String)}`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** The total size of the files; undefined if there are none or the size of one is unknown. */
function sizeIn({ files = [] }: AuditFields): number | undefined {
  if (files.length === 0) return undefined;
  const sizes = files.map((file) => ('omitted' in file ? undefined : file.size));
  return sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
}

const sizeText = (bytes: number) => sizeOf(bytes).replace('.0 ', ' ');

type Omitted = { omitted: number };
type List<T> = readonly (T | Omitted)[];
const omittedIn = (item: unknown): number =>
  typeof item === 'object' && item !== null && 'omitted' in item ? Number(item.omitted) : 0;

/** The texts of a list. The last one says how many items it leaves out. */
function namesIn<T>(list: List<T>, textOf: (item: T) => string): string[] {
  return list.map((item) => oneLine(omittedIn(item) > 0 ? andMore(omittedIn(item)) : textOf(item as T)));
}

type Change = NonNullable<AuditFields['changed']>[number];
type Value = Exclude<Change, Omitted>['from'][number];

function changePieces(change: Change): Piece[] {
  if ('omitted' in change) return [andMore(change.omitted)];
  const { setting, in: channel, from, to } = change;
  const where: Piece[] = channel === undefined ? [] : [' ', channel];
  return [oneLine(setting), ...where, ': ', ...valuePieces(from), ' → ', ...valuePieces(to)];
}

function valuePieces(values: readonly Value[]): Piece[] {
  if (values.length === 0) return ['not set'];
  return values.flatMap((value, index): Piece[] => [index === 0 ? '' : ', ', pieceOf(value)]);
}

function pieceOf(value: Value): Piece {
  if (typeof value === 'string') return oneLine(value);
  if ('bytes' in value) return sizeText(value.bytes);
  return 'omitted' in value ? andMore(value.omitted) : value;
}
