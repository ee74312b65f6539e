import { z } from 'zod';
import { accountKey, type Credentials, type Desk, defineCollection, nameIn, noDesk } from '../../store/index.ts';
import type { Actor, Services } from '../common/services.ts';
import { channelFor, channelIds } from './inbox-channels.ts';
import { readDeskSettings, type Settings } from './repository.ts';

/**
 * How a person stands to a desk. `closed`: no one belongs to it, because its channel can't be used. `unknown`: Slack
 * didn't say who is in the channel.
 */
export type Membership = 'member' | 'outside' | 'closed' | 'unknown';

type MembershipServices = Pick<Services, 'store' | 'people'>;

/** Whether accounts of the workspace are desks: there are several, or there were several. */
export const areDesks = (connected: ReadonlyMap<string, Credentials>): boolean =>
  connected.size > 1 || [...connected.values()].some(({ name }) => name !== undefined);

/**
 * The people who belong to the account: the members of its channel, if that is private and the account is a desk;
 * undefined if everyone does. Rejects if Slack doesn't list them.
 */
export async function deskMembers(
  { store, people }: MembershipServices,
  { workspace }: Desk,
  settings: Settings,
): Promise<ReadonlySet<string> | undefined> {
  const channel = channelFor(settings)?.channel;
  if (channel === undefined || !areDesks(await store.credentials.list(workspace))) return undefined;
  return people.membersOf(workspace, channel);
}

export const membershipOf = async (services: MembershipServices, actor: Actor, settings: Settings) =>
  actor.account === noDesk ? 'outside' : membershipIn(actor.person, () => deskMembers(services, actor, settings));

async function membershipIn(
  person: string,
  readMembers: () => Promise<ReadonlySet<string> | undefined>,
): Promise<Membership> {
  try {
    const members = await readMembers();
    if (members === undefined || members.has(person)) return 'member';
    return members.size === 0 ? 'closed' : 'outside';
  } catch {
    return 'unknown';
  }
}

/** A desk as its members see it. */
export interface DeskOfPerson {
  account: string;
  key: string;
  name: string;
  /** The channel for everything else; undefined if there is none. */
  channel: string | undefined;
  /** All its inbox channels. */
  channels: readonly string[];
  /** Slack didn't say whether the person belongs to it. */
  isUnknown: boolean;
  /** No one belongs to it. */
  isClosed: boolean;
}

/** The desks that the person belongs to or could belong to, oldest first; undefined if the workspace has no desks. */
export const desksOf = async (
  services: MembershipServices,
  actor: Actor,
  connected?: ReadonlyMap<string, Credentials>,
): Promise<DeskOfPerson[] | undefined> =>
  (await desksAndClosedOf(services, actor, connected))?.filter(({ isClosed }) => !isClosed);

async function desksAndClosedOf(
  services: MembershipServices,
  actor: Actor,
  known?: ReadonlyMap<string, Credentials>,
): Promise<DeskOfPerson[] | undefined> {
  const { workspace } = actor;
  const connected = known ?? (await services.store.credentials.list(workspace));
  if (!areDesks(connected)) return undefined;
  const settings = await readDeskSettings(services, workspace);
  const oldestFirst = [...connected].sort(([, a], [, b]) => a.connectedAt - b.connectedAt);
  const all = oldestFirst.map(async ([account, credentials]): Promise<DeskOfPerson[]> => {
    const key = accountKey(account);
    const { inboxChannels = [] } = settings.get(key) ?? {};
    const channel = channelFor({ inboxChannels })?.channel;
    const membership = await membershipIn(actor.person, async () =>
      channel === undefined ? undefined : services.people.membersOf(workspace, channel),
    );
    if (membership === 'outside') return [];
    const desk = { account, key, name: nameIn(credentials), channel, channels: channelIds({ inboxChannels }) };
    return [{ ...desk, isUnknown: membership === 'unknown', isClosed: membership === 'closed' }];
  });
  return (await Promise.all(all)).flat();
}

/** The key of the desk that a person used last. */
const lastDesks = defineCollection('last-desk', z.string());

export const lastDeskOf = ({ store }: Pick<Services, 'store'>, { workspace, person }: Actor) =>
  store.collection(lastDesks).get(workspace, person);

/**
 * The account of the desk with this key, which becomes the one used last. `noDesk` unless the person belongs to it: what
 * was entered for one desk must not go to another. If no one belongs to it, `may` lets admins choose another channel.
 */
export async function chooseDesk(services: MembershipServices, actor: Actor, key: string | undefined): Promise<string> {
  const chosen = (await desksAndClosedOf(services, actor))?.find((desk) => desk.key === key);
  if (chosen === undefined) return noDesk;
  const { workspace, person } = actor;
  if ((await lastDeskOf(services, actor)) !== chosen.key)
    await services.store.collection(lastDesks).set(workspace, chosen.key, { name: person });
  return chosen.account;
}

/** The key of the desk, for modals that a job updates; undefined if the workspace has no other. */
export const deskKeyOf = async (services: Pick<Services, 'store'>, { workspace, account }: Desk) =>
  account !== undefined && areDesks(await services.store.credentials.list(workspace)) ? accountKey(account) : undefined;
