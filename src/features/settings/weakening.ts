import type { Phrase } from '../common/services.ts';
import { type ApprovalPolicy, hasRules } from './approval/fields.ts';
import { isExtensionAllowed } from './fields.ts';
import { channelFor, type Delivery, type InboxChannel } from './inbox-channels.ts';
import { actionTexts } from './permission.ts';
import { type Expiry, type FileRules, type Permission, permissionSettings, type Settings } from './repository.ts';

type Decision<T> = (before: T, after: T) => Phrase[];
/** For each setting, what a change of it weakens. A setting without a decision doesn't compile. */
type Decisions<T> = { [Name in keyof Required<T>]: Decision<T> };

/** What more a change lets people do, see or send, and which admins it removes. */
export function weakenings(before: Settings, after: Settings): Phrase[] {
  const [approvalBefore, approvalAfter] = [before.approval, after.approval];
  return [
    // Rules can't be weaker while every transfer needs approval, and approvers have no part before there are rules.
    ...(approvalAfter.every ? [] : decide(rules, approvalBefore, approvalAfter)),
    ...(hasRules(approvalBefore) ? decide(approving, approvalBefore, approvalAfter) : []),
    ...decide(fileRules, before, after),
    ...decide(permissions, before, after),
    ...decide(expiry, before, after),
    ...decide(others, before, after),
  ];
}

const decide = <T>(decisions: Decisions<T>, before: T, after: T): Phrase[] =>
  Object.values<Decision<T>>(decisions).flatMap((decision) => decision(before, after));

const neutral = (): Phrase[] => [];

const when = (isWeaker: boolean, ...phrase: Phrase): Phrase[] => (isWeaker ? [phrase] : []);

/** For a maximum; undefined is none. */
const raised =
  <Name extends string>(name: Name, gone: string, higher: (value: number) => string) =>
  ({ [name]: before }: Limits<Name>, { [name]: after }: Limits<Name>): Phrase[] => {
    if (before === undefined) return [];
    return after === undefined ? [[gone]] : when(after > before, higher(after));
  };
type Limits<Name extends string> = { [One in Name]?: number | undefined };

/** For a list of what is allowed; an empty one turns the rule off. */
const longer =
  <Name extends string>(name: Name, gone: string, more: string, show = named) =>
  ({ [name]: before }: Record<Name, string[]>, { [name]: after }: Record<Name, string[]>): Phrase[] => {
    if (before.length === 0) return [];
    return after.length === 0 ? [[gone]] : added(before, after, (items) => [more, ...show(items)]);
  };

function added(before: readonly string[], after: readonly string[], phraseOf: (items: string[]) => Phrase): Phrase[] {
  const items = after.filter((item) => !before.includes(item));
  return items.length === 0 ? [] : [phraseOf(items)];
}

const maxNamed = 10;

function named(items: Phrase, max = maxNamed): Phrase {
  const shown = items.slice(0, max).flatMap((item, index) => (index === 0 ? [item] : [', ', item]));
  return items.length > max ? [...shown, ` and ${items.length - max} more`] : shown;
}

const people = (ids: Phrase) => named(ids.map((id) => (typeof id === 'string' ? { user: id } : id)));

type Approving = 'requests' | 'approvers' | 'channel' | 'waitDays';
const off = 'turned off approval for ';

const rules: Decisions<Omit<ApprovalPolicy, Approving>> = {
  every: (before) => when(before.every, `${off}all transfers`),
  newRecipients: (before, after) => when(before.newRecipients && !after.newRecipients, `${off}new recipients`),
  domains: longer('domains', `${off}recipients outside trusted domains`, `${off}recipients in `),
  recipients: raised(
    'recipients',
    `${off}transfers to many recipients`,
    (n) => `${off}transfers to up to ${n} recipients`,
  ),
  bytes: raised('bytes', `${off}large transfers`, (bytes) => `${off}transfers of up to ${bytes / 1_000_000} MB`),
  fileTypes: (before, after) =>
    added(after.fileTypes, before.fileTypes, (types) => [`${off}files of type `, ...named(types)]),
  senders: longer('senders', `${off}senders who are not trusted`, `${off}transfers by `, people),
};

const approving: Decisions<Pick<ApprovalPolicy, Approving>> = {
  requests: (before, after) => when(before.requests && !after.requests, `${off}file requests`),
  approvers: (before, after) =>
    added(before.approvers, after.approvers, (ids) => ['let ', ...people(ids), ' approve transfers']),
  channel: (before, { channel }) =>
    channel === undefined || channel === before.channel
      ? []
      : [['let the members of ', { channel }, ' approve transfers']],
  waitDays: (before, { waitDays }) => when(waitDays > before.waitDays, `made an approval valid for ${waitDays} days`),
};

const maximumSize = (name: 'maxFileMb' | 'maxTotalMb', what: string): Decision<FileRules> =>
  raised(name, `removed the maximum size of ${what}`, (size) => `raised the maximum size of ${what} to ${size} MB`);

const fileRules: Decisions<FileRules> = {
  fileTypes: (before, after) => {
    const isNew = (extension: string) => isExtensionAllowed(after, extension) && !isExtensionAllowed(before, extension);
    // No rule can name the empty extension, so it stands for all that a rule doesn't name.
    if (!isNew(''))
      return added([], [...new Set([...before.extensions, ...after.extensions])].filter(isNew), (types) => [
        'allowed files of type ',
        ...named(types),
      ]);
    const except: Phrase = after.fileTypes === 'any' ? [] : [' except ', ...named(after.extensions)];
    return [['allowed all file types', ...except]];
  },
  // Decided together with the rule above.
  extensions: neutral,
  maxFileMb: maximumSize('maxFileMb', 'a file'),
  maxTotalMb: maximumSize('maxTotalMb', 'a transfer'),
  unscanned: (before, after) =>
    when(before.unscanned === 'block' && after.unscanned === 'note', "allowed files that can't be scanned"),
};

type Permissions = Pick<Settings, (typeof permissionSettings)[Permission]>;

const permission =
  (name: Permission): Decision<Permissions> =>
  ({ [permissionSettings[name]]: before }, { [permissionSettings[name]]: after }) => {
    if (before === 'everyone' || after === 'admins') return [];
    if (after === 'everyone') return [[`allowed everyone to ${actionTexts[name]}`]];
    const peopleBefore = before === 'admins' ? [] : before;
    return added(peopleBefore, after, (ids) => ['allowed ', ...people(ids), ` to ${actionTexts[name]}`]);
  };

const permissions: Decisions<Permissions> = {
  senders: permission('send'),
  requesters: permission('request'),
  downloaders: permission('download'),
  contactEditors: permission('contacts'),
};

const expiry: Decisions<Expiry> = {
  // How numbers are shown: the service gets the same numbers.
  expiryUnit: neutral,
  // What the form suggests.
  expiryDefault: neutral,
  expiryLongest: (before, after) => {
    const unit = after.expiryUnit === 'own' ? '' : ` ${after.expiryUnit}`;
    const higher = (time: number) => `raised the maximum expiry to ${time}${unit}`;
    return raised('expiryLongest', 'removed the maximum expiry', higher)(before, after);
  },
};

/** From one person to all members of a channel. */
const deliveryWidths: Record<Delivery, [width: number, text: string]> = {
  private: [0, 'direct messages'],
  link: [1, 'links'],
  thread: [2, 'threads in channels'],
};

function widerDelivery(before: Delivery, after: Delivery, where: Phrase = []): Phrase[] {
  const [[width], [widthAfter, text]] = [deliveryWidths[before], deliveryWidths[after]];
  return when(widthAfter > width, 'changed the delivery of downloads', ...where, ` to ${text}`);
}

/** A change can move senders to many channels, so that the notice names few of each, and not in full. */
const sendersNamed = 3;
const senderChars = 60;
const shortened = (sender: string) => (sender.length > senderChars ? `${sender.slice(0, senderChars - 1)}…` : sender);

/** What a change lets the members of an inbox channel see. Another channel has other members. */
function inChannel(
  { channel, everythingElse, delivery }: InboxChannel,
  before: Pick<Settings, 'inboxChannels' | 'delivery'>,
  after: Pick<Settings, 'inboxChannels'>,
): Phrase[] {
  const earlier = before.inboxChannels.find((one) => one.channel === channel);
  const isFor = (settings: Pick<Settings, 'inboxChannels'>, sender: string) =>
    channelFor(settings, sender)?.channel === channel;
  const senders = [before, after].flatMap(({ inboxChannels }) => inboxChannels.flatMap((one) => one.senders));
  const moved = [...new Set(senders)].filter((sender) => isFor(after, sender) && !isFor(before, sender));
  const isElseNew = everythingElse && earlier?.everythingElse !== true;
  return [
    ...when(isElseNew, 'chose ', { channel }, ' for new files'),
    ...when(
      moved.length > 0,
      'chose ',
      { channel },
      ' for new files from ',
      ...named(moved.map(shortened), sendersNamed),
    ),
    ...widerDelivery(earlier?.delivery ?? before.delivery, delivery, [' in ', { channel }]),
  ];
}

const others: Decisions<Omit<Settings, 'approval' | keyof Permissions | keyof Expiry | keyof FileRules>> = {
  inboxChannels: (before, after) => after.inboxChannels.flatMap((one) => inChannel(one, before, after)),
  // Removed admins aren't notified any more, so the others should know.
  admins: (before, after) => [
    ...added(before.admins, after.admins, (ids) => ['made ', ...people(ids), ' additional admins']),
    ...added(after.admins, before.admins, (ids) => ['removed ', ...people(ids), ' as additional admins']),
  ],
  undoSeconds: (before, after) =>
    when(after.undoSeconds < before.undoSeconds, `shortened the time to undo to ${after.undoSeconds} seconds`),
  message: neutral,
  recipientDomains: longer('recipientDomains', 'allowed recipients in any domain', 'allowed recipients in '),
  // Files shared there are offered only to the person who shared them.
  watchedChannels: neutral,
  delivery: ({ delivery: before }, { delivery: after }) => widerDelivery(before, after),
  requests: (before, after) => when(!before.requests && after.requests, 'turned on file requests'),
  // What the service can do. Dropline also turns it off by itself.
  contactsOnlyAdd: neutral,
};
