import type { ModalView } from '@slack/types';
import { actions, type Blocks, button, dateAndTime, line, note, type Piece, section } from '../../slack/blocks.ts';
import { truncateText } from '../../slack/limits.ts';
import { modal } from '../../slack/views.ts';
import { andList, andMore, count, durationText, sizeOf } from '../../slack/words.ts';
import { type ApprovalPolicy, approvalOf, hasRules } from './approval.ts';
import { deliveryTexts, type InboxChannel, postsText, remindersText } from './inbox-channels.ts';
import { actionTexts } from './permission.ts';
import {
  type FileRules,
  namedIn,
  peopleSettings,
  permissionSettings,
  permissions,
  type Settings,
} from './repository.ts';
import type { ShownValue } from './table/constructors.ts';
import { definitions, namesOn, type Page, type SettingName } from './table/definitions.ts';
import { isChannel, mention } from './table/phrases.ts';

const maxNamed = 10;

/** The current state in sentences, then a button for each page. */
/** @param gone the named people who can't use Dropline any more */
export function overviewView(settings: Settings, gone: readonly string[], notice?: string): ModalView {
  const policy = approvalOf(settings);
  const rows: [title: string, pieces: Piece[]][] = [
    ['Permissions', summaries.people(settings)],
    ['Approval', [...(hasRules(policy) ? summaries.approvers(settings) : []), ...summaries.approval(settings)]],
    ['Inbox channels', inboxPieces(settings)],
    ['Sending', [...summaries.expiry(settings), ...summaries.sending(settings)]],
    ['File rules', summaries.files(settings)],
    ['Service', summaries.service(settings)],
  ];
  return modal('Settings', [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    ...gone.slice(0, maxGone).flatMap((person) => goneBlocks(settings, person)),
    ...rows.map(([title, pieces]) => line({ bold: title }, ' · ', ...pieces)),
    actions(
      pageButton('Change permissions', 'people'),
      button('People', 'settings.rights', { accessibilityLabel: 'People: what one person can do, and why' }),
      pageButton('Change approval rules', 'approval'),
      pageButton('Change approvers', 'approvers'),
      button('Change inbox channels', 'settings.channels'),
      pageButton('Change downloads', 'delivery'),
      pageButton('Change expiry', 'expiry'),
      pageButton('Change sending', 'sending'),
      pageButton('Change file rules', 'files'),
      pageButton('Change service options', 'service'),
      button('Pause or resume', 'pause.open'),
      button('Connected accounts', 'desks.open'),
    ),
  ]);
}

const maxGone = 5;

function goneBlocks(settings: Settings, person: string): Blocks {
  const names = peopleSettings.filter((name) => namedIn(settings, name).includes(person));
  const titles = andList(names.map((name) => `“${definitions[name].title}”`));
  return [
    line('⚠️ ', { user: person }, ` has left or is a guest now, and has no rights. Still named in ${titles}.`),
    actions(button('Remove', `settings.remove-person#${person}`, { value: person, style: 'danger' })),
  ];
}

const pageButton = (label: string, page: Page) => button(label, `settings.open#${page}`, { value: page });

const maxChanges = 3;

/** What a form begins with: the current state, and who changed it last. */
export function stateBlocks(page: Page, settings: Settings): Blocks {
  const names = namesOn(page).filter((name) => settings.changed[name] !== undefined);
  const changes = grouped(names, (name) => settings.changed[name]).toSorted(
    ([{ at: one = 0 } = {}], [{ at: other = 0 } = {}]) => other - one,
  );
  return [
    line(...summaries[page](settings)),
    ...changes.slice(0, maxChanges).flatMap(([change, changed]) =>
      changeBlocks(
        change,
        andList(
          changed.map((name) => inText(definitions[name].title)),
          3,
        ),
      ),
    ),
  ];
}

/** Who changed something last, and when. */
export const changeBlocks = (change: Settings['changed'][string] | undefined, what: string): Blocks =>
  change === undefined
    ? []
    : [line({ user: change.by }, ` changed ${what} on `, dateAndTime(new Date(change.at)), '.')];

/** The items of each key, in the order of the first items. Keys are compared as JSON. */
function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  const groups = new Map<string, [K, T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(JSON.stringify(key)) ?? [key, []];
    groups.set(JSON.stringify(key), [group[0], [...group[1], item]]);
  }
  return [...groups.values()];
}

const inText = (title: string) => `${title.charAt(0).toLowerCase()}${title.slice(1)}`;

/** A value in words, or what it means if it is empty. */
export function valueText(name: SettingName, settings: Settings): string {
  const { show, none = 'none' } = definitions[name];
  const textOf = (value: ShownValue) =>
    typeof value === 'string' ? value : 'bytes' in value ? sizeOf(value.bytes) : Object.values(value).join();
  return andList(show(settings[name]).map(textOf)) || none;
}

const summaries: Record<Page, (settings: Settings) => Piece[]> = {
  people: permissionPieces,
  approval: (settings) => [rulesText(approvalOf(settings))],
  approvers: (settings) => approvingPieces(approvalOf(settings)),
  expiry: expiryPieces,
  delivery: ({ delivery }) => [`Downloads without an inbox channel arrive ${deliveryTexts[delivery]}.`],
  sending: sendingPieces,
  files: (settings) => [filesText(settings)],
  service: ({ requests, contactsOnlyAdd }) => [
    `File requests are ${requests ? 'on' : 'off'}. `,
    contactsOnlyAdd ? 'Contacts can only be added.' : 'Contacts can be added, changed and removed.',
  ],
};

const maxChannels = 5;

function inboxPieces({ inboxChannels, delivery }: Settings): Piece[] {
  const omitted = inboxChannels.length - maxChannels;
  return [
    ...inboxChannels.slice(0, maxChannels).flatMap((one) => [...channelPieces(one), '. ']),
    ...(omitted > 0 ? [`${count(omitted, 'more channel')}. `] : []),
    ...(inboxChannels.some(({ everythingElse }) => everythingElse) ? [] : [`${elseText(inboxChannels.length > 0)}. `]),
    ...summaries.delivery({ delivery } as Settings),
  ];
}

/** Where new files go that no channel gets. */
export const elseText = (hasChannels: boolean): string =>
  `${hasChannels ? 'Everything else' : 'No channel yet'}: the person who connected the workspace is notified`;

const sendersShown = 3;

/** A channel on one line: its senders, how it posts, and what differs from a new channel. */
export function channelPieces(inboxChannel: InboxChannel): Piece[] {
  const { channel, senders, everythingElse, takeAndDone, delivery, reminderDays } = inboxChannel;
  const sources = [...senders, ...(everythingElse ? ['everything else'] : [])];
  const texts = [
    truncateText(andList(sources, sendersShown), 300),
    postsText(inboxChannel),
    ...(takeAndDone ? ['Take and Done'] : []),
    ...(delivery === 'private' ? [] : [`downloads ${deliveryTexts[delivery]}`]),
    ...(reminderDays === 1 ? [] : [remindersText(reminderDays)]),
  ];
  return [{ channel }, ...texts.map((text) => ` · ${text}`)];
}

/** For example “Everyone can send files. Only admins can change contacts.” */
function permissionPieces(settings: Settings): Piece[] {
  const groups = grouped(permissions, (permission) => settings[permissionSettings[permission]]);
  const texts = groups.flatMap(([allowed, group]): Piece[] => {
    const actionsText = andList(group.map((permission) => actionTexts[permission]));
    if (allowed === 'everyone') return [`Everyone can ${actionsText}. `];
    return [
      ...(allowed === 'admins' ? ['Only admins'] : ['Admins', ...peoplePieces(allowed)]),
      ` can ${actionsText}. `,
    ];
  });
  const { admins, auditors, requests } = settings;
  return [
    ...texts,
    ...(requests ? [] : ['File requests are off. ']),
    ...(admins.length === 0 ? [] : ['Additional admins: ', ...listPieces(admins), '. ']),
    ...(auditors.length === 0 ? [] : ['Auditors: ', ...listPieces(auditors), '.']),
  ];
}

/** Separated by commas. */
function listPieces(ids: readonly string[], max?: number): Piece[] {
  const [first = '', ...others] = peoplePieces(ids, max);
  return first === ', ' ? others : [String(first).slice(2), ...others];
}

/** Each after a comma. */
function peoplePieces(ids: readonly string[], max = maxNamed): Piece[] {
  const omitted = ids.length - max;
  const pieces = ids.slice(0, max).flatMap((id): Piece[] => [isChannel(id) ? ', members of ' : ', ', mention(id)]);
  return omitted > 0 ? [...pieces, ` ${andMore(omitted)}`] : pieces;
}

function expiryPieces({ expiryUnit, expiryDefault, expiryLongest }: Settings): Piece[] {
  const longest = expiryLongest === undefined ? '' : `, at most ${durationText(expiryLongest, expiryUnit)}`;
  return [`Transfers expire after ${durationText(expiryDefault, expiryUnit)}${longest}. `];
}

function sendingPieces({ recipientDomains, watchedChannels }: Settings): Piece[] {
  const channels = watchedChannels.slice(0, maxNamed).flatMap((channel): Piece[] => [', ', { channel }]);
  return [
    `Files can be sent to ${recipientDomains.length === 0 ? 'any domain' : andList(recipientDomains)}. `,
    ...(channels.length === 0 ? [] : ['Watched: ', ...channels.slice(1), '.']),
  ];
}

function filesText({ fileTypes, extensions, maxFileMb, maxTotalMb, unscanned }: FileRules): string {
  const types = truncateText(
    andList(
      extensions.map((extension) => `.${extension}`),
      20,
    ),
    300,
  );
  const allowed = { any: 'All file types', allow: `Only ${types} files`, block: `All file types except ${types}` };
  const limits = [
    ...(maxFileMb === undefined ? [] : [`${maxFileMb} MB per file`]),
    ...(maxTotalMb === undefined ? [] : [`${maxTotalMb} MB per transfer`]),
  ];
  const size = limits.length === 0 ? 'of any size' : `up to ${andList(limits)}`;
  const scanning = unscanned === 'block' ? 'blocked' : 'allowed and noted';
  return `${allowed[fileTypes]} can be sent, ${size}. Files that can't be scanned are ${scanning}.`;
}

const rulesText = (policy: ApprovalPolicy): string =>
  hasRules(policy)
    ? `Approval is needed for ${andList(rulesIn(policy), 10)}.${policy.requests ? ' File requests need it too.' : ''}`
    : 'No transfer needs approval.';

function approvingPieces({ approvers, waitDays }: ApprovalPolicy): Piece[] {
  if (approvers.length === 0) return ['No one can approve transfers yet.'];
  const pieces = listPieces(approvers);
  const who = typeof pieces[0] === 'string' ? ['Members of ', ...pieces.slice(1)] : pieces;
  return [...who, ` can approve transfers, for ${count(waitDays, 'day')}. `];
}

export const approverPieces = ({ approvers }: ApprovalPolicy, maxPeople: number): Piece[] => [
  'Approvers: ',
  ...listPieces(approvers, maxPeople),
];

function rulesIn({ every, newRecipients, domains, recipients, bytes, fileTypes, senders }: ApprovalPolicy): string[] {
  return [
    ...(every ? ['every transfer'] : []),
    ...(newRecipients ? ['new recipients'] : []),
    ...(domains.length > 0 ? [`recipients outside ${andList(domains, 3)}`] : []),
    ...(recipients === undefined ? [] : [`more than ${count(recipients, 'recipient')}`]),
    ...(bytes === undefined ? [] : [`more than ${sizeOf(bytes)}`]),
    ...(fileTypes.length > 0 ? [`${andList(fileTypes)} files`] : []),
    ...(senders.length > 0 ? [`senders other than ${count(senders.length, 'trusted person', 'trusted people')}`] : []),
  ];
}

/** Says that file requests are off, with the way to turn them on, or the people to ask. */
export function requestsOffBlocks(isAdmin: boolean, connectedBy: string | undefined): Blocks {
  const text = 'File requests are off in this workspace.';
  if (isAdmin) return [section(text, button('Turn on file requests', 'settings.open', { value: 'requests' }))];
  const people: Piece[] =
    connectedBy === undefined ? ['a workspace admin'] : [{ user: connectedBy }, ' or another workspace admin'];
  return [line(`${text} To turn them on, ask `, ...people, '.')];
}

/** What an admin sees after turning on file requests. */
export const requestsOnView = (): ModalView =>
  modal('File requests', [
    section('✅ File requests are on.'),
    actions(button('Request files', 'request.open', { style: 'primary' })),
    note('To turn them off or choose who can request files, use /drop settings.'),
  ]);
