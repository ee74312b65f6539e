import { referenceOf } from '../../errors.ts';
import type { Piece } from '../../slack/blocks.ts';
import { truncateText } from '../../slack/limits.ts';
import { andList, andMore, count, oneLine, sizeOf } from '../../slack/words.ts';
import type { AuditAction, AuditDetails, AuditEntry } from '../../store/index.ts';

interface ActionText<A extends AuditAction> {
  /** `{}` is what it was done to: files, senders and recipients, or what `object` returns. */
  done: string;
  tried: string;
  /** Replaces `{}` if nothing is known. */
  anything: string;
  /** The other details, for a second line. */
  more: (details: AuditDetails<A>) => Piece[][];
  object?: ((details: AuditDetails<A>, lengths: Lengths) => Piece[]) | undefined;
}

function text<A extends AuditAction>(
  done: string,
  tried: string,
  anything = '',
  more: ActionText<A>['more'] = () => [],
  object?: ActionText<A>['object'],
): ActionText<A> {
  return { done, tried, anything, more, object };
}

/** The text of every action. An action without one doesn't compile. */
const texts: { [A in AuditAction]: ActionText<A> } = {
  connect: text('connected the workspace', 'connect the workspace', '', connectParts),
  disconnect: text('disconnected the workspace', 'disconnect the workspace'),
  confirm: text('confirmed a transfer', 'confirm a transfer', '', transferParts),
  send: text('sent {}', 'send {}', 'files', outcomeParts),
  'ask for files': text('confirmed a file request', 'confirm a file request', '', transferParts),
  request: text('requested files from {}', 'request files from {}', 'contacts', outcomeParts, recipientsOf),
  cancel: text('cancelled {}', 'cancel {}', 'a transfer', transferParts),
  'ask for approval': text('asked for approval of {}', 'ask for approval of {}', 'a transfer', ({ rules }) =>
    part('rule: ', rules),
  ),
  approve: text('approved {}', 'approve {}', 'a transfer', transferParts),
  decline: text('declined {}', 'decline {}', 'a transfer', reasonParts),
  'ask for a download': text('got a link to {}', 'ask for a download of {}', 'a file', scanParts),
  download: text('downloaded {}', 'download {}', 'a file', scanParts),
  take: text('took {}', 'take {}', 'an inbox item', holderParts),
  'take over': text('took over {}', 'take over {}', 'an inbox item', holderParts),
  'mark done': text('marked {} as done', 'mark {} as done', 'an inbox item', holderParts),
  reopen: text('reopened {}', 'reopen {}', 'an inbox item', holderParts),
  'tick off': text('ticked off {}', 'tick off {}', 'a point of a checklist', requestParts, pointOf),
  untick: text('unticked {}', 'untick {}', 'a point of a checklist', requestParts, pointOf),
  settings: text('changed settings', 'change settings', '', changeParts),
  pause: text('paused {}', 'pause {}', 'sending or downloads', reasonParts, targetOf),
  resume: text('resumed {}', 'resume {}', 'sending or downloads', queuedParts, targetOf),
  'release hold': text('released the hold on sending', 'release the hold on sending', '', holdParts),
  'resume polling': text('resumed checking for files', 'resume checking for files'),
  'clear recipients': text("reset the account's recipients", "reset the account's recipients"),
  'remove uploaded files': text('deleted {} from the account', 'delete {} from the account', 'pending uploads'),
  'remove unexpected files': text(
    'deleted {} from the account to send a transfer',
    'delete {} from the account to send a transfer',
    'unexpected files',
    transferParts,
  ),
  'remove infected mark': text('removed the malware mark of {}', 'remove the malware mark of {}', 'a file', scanParts),
  'contacts add': text('added {}', 'add {}', 'contacts', editParts, contactsOf),
  'contacts edit': text('edited {}', 'edit {}', 'contacts', editParts, contactsOf),
  'contacts remove': text('removed {}', 'remove {}', 'contacts', editParts, contactsOf),
  'contacts import': text('imported {}', 'import {}', 'contacts', editParts, contactsOf),
  'contacts group': text('changed the group of {}', 'change the group of {}', 'contacts', editParts, contactsOf),
  'contacts export': text('exported contacts', 'export contacts', '', ({ count: number }) =>
    counted(number, (total) => count(total, 'contact')),
  ),
  'audit export': text('exported the audit log', 'export the audit log', '', ({ count: number, olderThan }) => [
    ...counted(number, (total) => count(total, 'entry', 'entries')),
    ...part('without entries before ', olderThan),
  ]),
};

/** The name of an action in the filter. */
export function actionName(action: AuditAction): string {
  const { done, anything } = texts[action];
  const name = done.replace('{}', anything);
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

/** How much of a list and of a name is shown. */
interface Lengths {
  items: number;
  chars: number;
}
const short: Lengths = { items: 3, chars: 80 };
const full: Lengths = { items: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY };

/** Shown instead of an entry that can't be trusted. */
export const unreadableText =
  "⚠️ This entry can't be trusted: it was changed in the database, or its key is missing from SECRET_KEY.";

/** What the person did or tried, without the person. Names in it are untrusted. */
export function actionPieces<A extends AuditAction>(
  { action, outcome }: Pick<AuditEntry<A>, 'action' | 'outcome'>,
  details: AuditDetails<A>,
): Piece[] {
  const { done, tried, anything, object = contentOf }: ActionText<A> = texts[action];
  const objectPieces = object(details, short);
  const doneText = doneTexts[outcome];
  const [before = '', after = ''] = (doneText === undefined ? tried : done).split('{}');
  const pieces: Piece[] = [
    { bold: before },
    ...(objectPieces.length > 0 ? objectPieces : [{ bold: anything }]),
    { bold: `${after}${doneText ?? ''}` },
  ];
  return doneText === undefined
    ? ['tried to ', ...pieces, `: ${failureTexts[outcome] ?? outcome.replaceAll('-', ' ')}`]
    : pieces;
}

/** The details that the sentence doesn't have. */
export function detailPieces<A extends AuditAction>(
  { action }: Pick<AuditEntry<A>, 'action'>,
  details: AuditDetails<A>,
) {
  const size = sizeIn(details);
  return joined([...(size === undefined ? [] : [[sizeText(size)]]), ...texts[action].more(details)]);
}

/** The cells of a CSV row. The last one has what the other columns don't have. */
export function cellsOf<A extends AuditAction>({ action }: Pick<AuditEntry<A>, 'action'>, details: AuditDetails<A>) {
  const { object, more }: ActionText<A> = texts[action];
  const { files, sender, recipients } = knownIn(details);
  const objectPieces = object?.(details, full) ?? [];
  return {
    files: listTexts(files, ({ name }) => name).join('; '),
    recipients: namesIn(recipients).join('; '),
    size: sizeIn(details)?.toString() ?? '',
    details: joined([...(objectPieces.length > 0 ? [objectPieces] : []), ...part('from ', sender), ...more(details)]),
  };
}

const joined = (parts: Piece[][]): Piece[] =>
  parts.flatMap((pieces, index) => (index === 0 ? pieces : ['; ', ...pieces]));

type Omitted = { omitted: number };
type List<T> = readonly (T | Omitted)[] | undefined;
const isOmitted = (item: object | string): item is Omitted => typeof item === 'object' && 'omitted' in item;

/** The details that many actions share. */
function knownIn(
  details: AuditDetails,
): Pick<AuditDetails<'download'>, 'files' | 'sender'> & { recipients?: List<string> } {
  return {
    ...('files' in details && { files: details.files }),
    ...('sender' in details && { sender: details.sender }),
    ...('recipients' in details && { recipients: details.recipients }),
  };
}

/** The total size of the files; undefined if there are none or the size of one is unknown. */
function sizeIn(details: AuditDetails): number | undefined {
  const { files = [] } = knownIn(details);
  if (files.length === 0) return undefined;
  const sizes = files.map((file) => ('omitted' in file ? undefined : file.size));
  return sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
}

const sizeText = (bytes: number) => sizeOf(bytes).replace('.0 ', ' ');

/** The texts of a list. Says how many items it leaves out. */
function listTexts<T extends object | string>(items: List<T>, textOf: (item: T) => string): string[] {
  return (items ?? []).map((item) => oneLine(isOmitted(item) ? andMore(item.omitted) : textOf(item)));
}
const namesIn = (items: List<string>) => listTexts(items, (name) => name);

/** The start of a list as part of a sentence. */
function someOf<T extends object | string>(
  items: List<T>,
  textOf: (item: T) => string,
  { items: max, chars }: Lengths,
) {
  const known = (items ?? []).filter((item): item is T => !isOmitted(item));
  const omitted = (items ?? []).reduce((sum, item) => sum + (isOmitted(item) ? item.omitted : 0), 0);
  const names = known.map((item) => truncateText(oneLine(textOf(item)), chars));
  return andList(names, max, names.length + omitted);
}

function contentOf(details: AuditDetails, lengths: Lengths): Piece[] {
  const { files, sender, recipients } = knownIn(details);
  const parts = [
    someOf(files, ({ name }) => name, lengths),
    ...(sender === undefined ? [] : [`from ${truncateText(oneLine(sender), lengths.chars)}`]),
    ...(recipients === undefined || recipients.length === 0 ? [] : [`to ${someOf(recipients, String, lengths)}`]),
  ];
  const content = parts.filter((one) => one !== '').join(' ');
  return content === '' ? [] : [content];
}

function recipientsOf({ recipients = [] }: AuditDetails<'request'>, lengths: Lengths): Piece[] {
  return recipients.length === 0 ? [] : [someOf(recipients, String, lengths)];
}

function contactsOf({ contacts = [] }: AuditDetails<'contacts add'>, lengths: Lengths): Piece[] {
  return contacts.length === 0 ? [] : [someOf(contacts, String, lengths)];
}

function pointOf({ point, recipients }: AuditDetails<'tick off'>, lengths: Lengths): Piece[] {
  if (point === undefined) return [];
  return [`“${truncateText(oneLine(point), lengths.chars)}” of the request to ${someOf(recipients, String, lengths)}`];
}

function targetOf({ target }: AuditDetails<'pause'> | AuditDetails<'resume'>): Piece[] {
  return target === undefined ? [] : [target];
}

function part(label: string, detail: string | undefined): Piece[][] {
  return detail === undefined || detail === '' ? [] : [[`${label}${oneLine(detail)}`]];
}

function counted(number: number | undefined, textOf: (number: number) => string): Piece[][] {
  return number === undefined || number === 0 ? [] : [[textOf(number)]];
}

/** The entries of the transfer have the same reference. */
function transferParts({ transfer }: { transfer?: string | undefined }): Piece[][] {
  return part('transfer ', transfer && referenceOf(transfer));
}

function reasonParts(details: { reason?: string | undefined; transfer?: string | undefined }): Piece[][] {
  return [...part('reason: ', details.reason), ...transferParts(details)];
}

function connectParts({ baseUrl, username, channels = [] }: AuditDetails<'connect'>): Piece[][] {
  return [
    ...part('service: ', baseUrl),
    ...part('account: ', username),
    ...channels.map((one): Piece[] => ['new files in ', 'omitted' in one ? andMore(one.omitted) : one]),
  ];
}

function outcomeParts({ result, difference, scan, other }: AuditDetails<'send'>): Piece[][] {
  const messages = [result, difference].flatMap((one) => part('', one?.message));
  return [...messages, ...scanParts({ scan }), ...transferParts({ transfer: other })];
}

function scanParts({ scan }: Pick<AuditDetails<'download'>, 'scan'>): Piece[][] {
  if (scan === undefined) return [];
  const { clean, unscanned, infected } = scan;
  const reasons = listTexts(unscanned, ({ name, reason }) => (reason === '' ? name : `${name} (${reason})`));
  const unscannedCount = unscanned.reduce((sum, one) => sum + ('omitted' in one ? one.omitted : 1), 0);
  const results = [
    ...(clean === 0 ? [] : [`${count(clean, 'file')} clean`]),
    ...(unscannedCount === 0 ? [] : [`${unscannedCount} not scanned: ${reasons.join(', ')}`]),
    ...(infected === undefined ? [] : [`malware found: ${infected}`]),
  ];
  return part('', results.join(', '));
}

function holderParts({ holder }: AuditDetails<'take'>): Piece[][] {
  return holder === undefined ? [] : [['taken before by ', holder]];
}

function requestParts({ requester, transfer }: AuditDetails<'tick off'>): Piece[][] {
  return [...(requester === undefined ? [] : [['requested by ', requester]]), ...transferParts({ transfer })];
}

function queuedParts({ queued }: AuditDetails<'resume'>): Piece[][] {
  return counted(queued, (number) => `${count(number, 'transfer')} queued`);
}

function holdParts({ transfer, reason }: AuditDetails<'release hold'>): Piece[][] {
  const reasons = {
    committing: 'the outcome was being checked',
    unknown: 'the outcome was unknown',
    difference: 'something else was sent',
  };
  return [...part('', reason && reasons[reason]), ...transferParts({ transfer })];
}

function editParts({ changes, added, updated, removed, restored, altered }: AuditDetails<'contacts add'>): Piece[][] {
  return [
    ...part('', namesIn(changes).join('; ')),
    ...counted(added, (number) => `${number} added`),
    ...counted(updated, (number) => `${number} updated`),
    ...counted(removed, (number) => `${number} removed`),
    ...part('restored: ', namesIn(restored).join(', ')),
    ...part('changed by the service: ', namesIn(altered).join(', ')),
  ];
}

type Change = NonNullable<AuditDetails<'settings'>['changed']>[number];
type Value = Exclude<Change, Omitted>['from'][number];

function changeParts({ changed = [] }: AuditDetails<'settings'>): Piece[][] {
  return changed.map((change): Piece[] => {
    if ('omitted' in change) return [andMore(change.omitted)];
    const { setting, in: channel, from, to } = change;
    const where: Piece[] = channel === undefined ? [] : [' in ', channel];
    return [oneLine(setting), ...where, ': ', ...valuePieces(from), ' → ', ...valuePieces(to)];
  });
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
