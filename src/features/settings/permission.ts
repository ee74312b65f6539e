import { z } from 'zod';
import { bounds } from '../../lib/bounds.ts';
import { isDirect } from '../../lib/conversations.ts';
import type { Desk } from '../../store/index.ts';
import { defineCollection } from '../../store/index.ts';
import type { Actor, Notifier, Role, Services } from '../common/services.ts';
import {
  MembersUnknownError,
  membersUnknown,
  notAllowed,
  notAnApprover,
  notOnDesk,
  onlyForAdmins,
  onlyForAuditors,
  onlyForWorkspaceAdmins,
  outsidersRefused,
  ownTransfer,
} from './errors.ts';
import { deskMembers, type Membership, membershipOf } from './membership.ts';
import {
  type FileRules,
  namedIn,
  type PeopleSetting,
  type Permission,
  peopleSettings,
  permissionSettings,
  readSettings,
  type Settings,
} from './repository.ts';
import { isChannel } from './table/phrases.ts';

/*
 * The only file that decides who can do something. `may` is the whole rule: everything else in here reads its facts and
 * words its refusals.
 */

/** What a decision about one person depends on. */
export interface Facts {
  settings: Settings;
  person: string;
  role: Role;
  /** The channels named in the settings that have the person as a member. */
  channels: ReadonlySet<string>;
  /** Those whose members Slack didn't list. No one has a right by them. */
  unknown: ReadonlySet<string>;
  /** The channels with received files that the person can read: public ones, and private ones that they are in. */
  readable?: ReadonlySet<string>;
  /** The account, where a workspace can have several. */
  account?: string | undefined;
  /** To the desk of the account. By default they belong to it. */
  membership?: Membership;
}

/**
 * - `view`: everything that all users of Dropline can see
 * - `desks`: connect and rename accounts, and see their health
 * - `disconnect`: only for admins by their role in Slack
 * - `audit`: read and export the audit log and everyone's history
 * - `history`: look at sent transfers; with a target, at this one
 * - `change`: cancel a transfer or tick off a point of its checklist
 * - `own`: what only the sender can do with a transfer: undo it, send it at once or again, edit it
 * - `trusted`: send without the approval that all other senders need
 * - `approve`: decide on a transfer, and open its files
 * - `see`: know of received files, and download them
 */
export type Action = Permission | 'view' | 'admin' | 'desks' | 'disconnect' | 'audit' | 'see' | TransferAction;
type TransferAction = 'history' | 'change' | 'own' | 'trusted' | 'approve';

/** What an action is done to: a transfer, by its sender; or received files, by the channel or person they belong to. */
export type Target = { person: string; account?: string } | { belongsTo: string };

/** What received files without a channel belong to, like those of the first poll. */
export const adminsOnly = 'admins';

/** Whether the person can do this. Guests, people who left and bots never can. */
export function may(facts: Facts, action: Action, target?: Target): boolean {
  const { settings, person, role } = facts;
  if (role === 'none' || !isOnDesk(facts, action, target)) return false;
  const isOwn = isBy(person, target);
  const isNamed = (name: PeopleSetting) =>
    namedIn(settings, name).some((id) => id === person || facts.channels.has(id));
  const isAdmin = role === 'admin' || isNamed('admins');
  switch (action) {
    case 'view':
      return true;
    case 'disconnect':
      return role === 'admin';
    case 'admin':
    case 'desks':
      return isAdmin;
    case 'audit':
      return isAdmin || isNamed('auditors');
    case 'own':
      return isOwn;
    case 'change':
      return isOwn || isAdmin;
    case 'history':
      return may(facts, 'audit') || (may(facts, 'send') && (target === undefined || isOwn));
    case 'see': {
      if (target === undefined || !('belongsTo' in target) || !may(facts, 'download')) return false;
      const { belongsTo: owner } = target;
      return owner === adminsOnly ? isAdmin : owner === person || facts.readable?.has(owner) === true;
    }
    case 'approve':
      return !isOwn && isNamed('approvers');
    case 'trusted':
      return isNamed('approvalSenders');
    default: {
      const name = permissionSettings[action];
      return isAdmin || settings[name] === 'everyone' || isNamed(name);
    }
  }
}

/** Accounts themselves and the audit are the workspace's. If no one belongs to a desk, admins can change its settings. */
function isOnDesk({ account, membership = 'member' }: Facts, action: Action, target: Target | undefined): boolean {
  if (action === 'desks' || action === 'disconnect' || action === 'audit') return true;
  const of = target !== undefined && 'account' in target ? target.account : undefined;
  if (account !== undefined && of !== undefined && of !== account) return false;
  return membership === 'member' || (membership === 'closed' && action === 'admin');
}

const isBy = (person: string, target: Target | undefined) =>
  target !== undefined && 'person' in target && target.person === person;

/** Why someone can do something. `channel`: as a member of it. */
export type Reason = { by: 'everyone' | 'role' | 'name' } | { by: 'channel'; channel: string };

/**
 * Why the person can do this (`isAdmin`: as an admin); undefined if they can't. Asks `may` with one reason at a time, so
 * that they always agree.
 */
export function reasonFor(facts: Facts, action: Action): (Reason & { isAdmin: boolean }) | undefined {
  const { settings, person, role, channels } = facts;
  const bare: Facts = { ...facts, person: '', role: 'member', channels: new Set() };
  const reasons: [Reason, Facts][] = [
    [{ by: 'everyone' }, bare],
    [{ by: 'role' }, { ...bare, role }],
    [{ by: 'name' }, { ...bare, person }],
    ...[...channels].map((channel): [Reason, Facts] => [
      { by: 'channel', channel },
      { ...bare, channels: new Set([channel]) },
    ]),
  ];
  const [reason, alone] = reasons.find(([, one]) => may(facts, action) && may(one, action)) ?? [];
  if (reason === undefined || alone === undefined) return undefined;
  const onlyAdmins = Object.fromEntries(peopleSettings.map((name) => [name, []]));
  const isAdmin = may({ ...alone, settings: { ...settings, ...onlyAdmins, admins: settings.admins } }, action);
  return { ...reason, isAdmin: reason.by !== 'everyone' && isAdmin };
}

/** What a person can do now. */
export interface Access {
  settings: Settings;
  isAdmin: boolean;
  facts: Facts;
  may(action: Action, target?: Target): boolean;
}

export const accessOf = (facts: Facts): Access => ({
  settings: facts.settings,
  isAdmin: may(facts, 'admin'),
  facts,
  may: (action, target) => may(facts, action, target),
});

async function factsOf(services: MemberServices, actor: Actor): Promise<Facts> {
  const [settings, role] = await Promise.all([readSettings(services, actor), services.people.roleOf(actor)]);
  const named = role === 'none' ? [] : namedChannels(settings);
  const { account, person } = actor;
  const membership = role === 'none' ? 'outside' : await membershipOf(services, actor, settings);
  return { settings, role, person, account, membership, ...(await channelsWith(services, actor, named)) };
}

/** What the person can do, to show it or to choose people. Before doing something, use `expectAllowed`. */
export const rightsOf = async (services: MemberServices, actor: Actor): Promise<Access> =>
  accessOf(await factsOf(services, actor));

/** Whether the person can use Dropline at all. Not if they have left or are a guest now. */
export const canUse = async ({ people }: Pick<Services, 'people'>, actor: Actor): Promise<boolean> =>
  (await people.roleOf(actor)) !== 'none';

/** Those of these people who can't use Dropline any more. People whose role Slack doesn't tell aren't among them. */
export async function peopleGone(services: Pick<Services, 'people'>, workspace: string, ids: readonly string[]) {
  const people = [...new Set(ids)].filter((id) => !isChannel(id)).slice(0, bounds.peopleChecked);
  const present = await Promise.all(people.map((person) => canUse(services, { workspace, person }).catch(() => true)));
  return people.filter((_, index) => present[index] === false);
}

/** What few people can do, and must not be able to do for a minute longer. */
const isSensitive = (action: Action, isOwn: boolean) =>
  ['admin', 'desks', 'disconnect', 'audit', 'approve'].includes(action) || (action === 'change' && !isOwn);

/** Rejects unless the person is allowed to do this now. Jobs check it again when they run. */
export async function expectAllowed(
  services: MemberServices,
  actor: Actor,
  action: Action,
  target?: Target,
): Promise<Access> {
  const cached = await factsOf(services, actor);
  // A former admin must not act as one until the cached role expires. Others can't use up the calls that Slack allows.
  const isConfirmed = isSensitive(action, isBy(actor.person, target)) && may(cached, action, target);
  const facts = isConfirmed ? { ...cached, role: await services.people.roleOf(actor, { isCurrent: true }) } : cached;
  if (may(facts, action, target)) return accessOf(facts);
  if (facts.role === 'none') throw outsidersRefused();
  const couldBeIn = { ...facts, channels: new Set([...facts.channels, ...facts.unknown]) };
  const { membership } = facts;
  if (may(membership === 'unknown' ? { ...couldBeIn, membership: 'member' } : couldBeIn, action, target))
    throw membersUnknown();
  throw may({ ...couldBeIn, membership: 'member' }, action, target) ? notOnDesk() : refusalOf(facts, action, target);
}

export const actionTexts: Record<Permission | 'view', string> = {
  send: 'send files',
  request: 'request files',
  download: 'download files',
  contacts: 'change contacts',
  view: 'look at this',
};

function refusalOf({ person }: Facts, action: Action, target: Target | undefined): Error {
  switch (action) {
    case 'disconnect':
      return onlyForWorkspaceAdmins();
    case 'audit':
      return onlyForAuditors();
    case 'admin':
    case 'desks':
    case 'change':
    case 'own':
      return onlyForAdmins();
    case 'trusted':
    case 'approve':
      return isBy(person, target) ? ownTransfer() : notAnApprover();
    case 'history':
      return notAllowed(actionTexts.send);
    case 'see':
      return notAllowed(actionTexts.download);
    default:
      return notAllowed(actionTexts[action]);
  }
}

// Private channels that the settings name: their members have the right.

export type MemberServices = Pick<Services, 'store' | 'people'> & {
  /** Code that only shows something has none, and leaves the alarm to others. */
  notifier?: Pick<Notifier, 'alarm'>;
};

/** The channels of which an admin was told that they are public. */
const publicChannels = defineCollection('public-named-channel', z.object({ channel: z.string() }));

/**
 * The members of a named channel; no one if it was made public, because everyone could join. An admin is told that
 * once. Throws if Slack doesn't list the members.
 */
export async function membersIn(
  { store, people, notifier }: MemberServices,
  workspace: string,
  channel: string,
): Promise<ReadonlySet<string>> {
  const members = await people.membersOf(workspace, channel).catch((error: unknown) => {
    throw membersUnknown(error);
  });
  const reported = store.collection(publicChannels);
  if (members !== undefined) {
    if ((await reported.get(workspace, channel)) !== undefined) await reported.delete(workspace, channel);
    return members;
  }
  if (notifier !== undefined && (await reported.add(workspace, { channel }, { name: channel })))
    // The next check tries again. Whoever asked must not wait for that.
    await notifier
      .alarm({ workspace }, { kind: 'channel-public', channel })
      .catch(() => reported.delete(workspace, channel));
  return new Set();
}

/**
 * Whether a named person or channel can get messages about what the right is for. A channel could have become public,
 * or shared with another organisation, since it was named. Of a desk, only its members can.
 */
export async function canGet(services: MemberServices, desk: Desk, to: string): Promise<boolean> {
  const ofDesk =
    desk.account === undefined ? undefined : await deskMembers(services, desk, await readSettings(services, desk));
  const isOfDesk = (person: string) => ofDesk?.has(person) ?? true;
  if (!isChannel(to)) return isOfDesk(to) && (await canUse(services, { ...desk, person: to }));
  const members = [...(await membersIn(services, desk.workspace, to))];
  return members.length > 0 && members.every(isOfDesk);
}

/** All people that these ids name: the people, then the members of the channels. Throws like `membersIn`. */
export async function peopleAmong(services: MemberServices, workspace: string, ids: readonly string[]) {
  const members = await Promise.all(ids.filter(isChannel).map((channel) => membersIn(services, workspace, channel)));
  return [...new Set([...ids.filter((id) => !isChannel(id)), ...members.flatMap((one) => [...one])])];
}

/** Which of these channels have the person as a member. `unknown`: those whose members Slack didn't list. */
async function channelsWith(
  services: MemberServices,
  { workspace, person }: { workspace: string; person: string },
  channels: readonly string[],
): Promise<{ channels: ReadonlySet<string>; unknown: ReadonlySet<string> }> {
  const found = { channels: new Set<string>(), unknown: new Set<string>() };
  const check = async (channel: string) => {
    try {
      if ((await membersIn(services, workspace, channel)).has(person)) found.channels.add(channel);
    } catch (error) {
      if (!(error instanceof MembersUnknownError)) throw error;
      found.unknown.add(channel);
    }
  };
  await Promise.all(channels.map(check));
  return found;
}

/**
 * The channels and people among these whose received files the person sees. `areUnknown`: Slack didn't say who is in some
 * channels, so these are left out.
 */
export async function seenAmong(
  { people }: Pick<Services, 'people'>,
  { workspace, facts }: { workspace: string; facts: Facts },
  owners: readonly string[],
): Promise<{ seen: string[]; areUnknown: boolean }> {
  const readable = new Set<string>();
  let areUnknown = false;
  const check = async (channel: string) => {
    try {
      const members = await people.membersOf(workspace, channel);
      if (members === undefined || members.has(facts.person)) readable.add(channel);
    } catch {
      areUnknown = true;
    }
  };
  await Promise.all(owners.filter((owner) => owner !== adminsOnly && !isDirect(owner)).map(check));
  const isSeen = (owner: string) => may({ ...facts, readable }, 'see', { belongsTo: owner });
  return { seen: owners.filter(isSeen), areUnknown };
}

const namedChannels = (settings: Settings): string[] => [
  ...new Set(peopleSettings.flatMap((name) => namedIn(settings, name).filter(isChannel))),
];

/** Whether files can be sent to the address. Admins can limit the domains. */
export function isDomainAllowed({ recipientDomains }: Pick<Settings, 'recipientDomains'>, email: string): boolean {
  if (recipientDomains.length === 0) return true;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return recipientDomains.some((allowed) => allowed.toLowerCase() === domain);
}

/** Whether files with the extension can be sent. */
export function isExtensionAllowed({ fileTypes, extensions }: FileRules, extension: string): boolean {
  if (fileTypes === 'any') return true;
  return extensions.includes(extension) === (fileTypes === 'allow');
}
