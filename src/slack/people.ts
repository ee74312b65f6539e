import type { UsersInfoResponse, WebClient } from '@slack/web-api';
import { bounds } from '../lib/bounds.ts';
import { createCache } from '../lib/cache.ts';
import { knownZone } from '../lib/time-zone.ts';
import { isSharedOutside } from './channels.ts';
import { isRefused } from './platform-errors.ts';

type User = NonNullable<UsersInfoResponse['user']>;
type Role = 'admin' | 'member' | 'none';

interface Profile {
  role: Role;
  isGuest: boolean;
  /** An IANA name. */
  zone: string;
}

interface ChannelState {
  problem?: 'gone' | 'archived' | 'shared' | 'not-member';
  isPrivate: boolean;
}

const membersPerPage = 1_000;

/** How long answers about people and members are cached. After that, someone who has left has no rights any more. */
const defaultMaxAgeMs = 60_000;

/** The members of a private channel; undefined if it is public. */
type Members = ReadonlySet<string> | undefined;

/** People's roles, time zones and channels, cached for up to a minute; roles also current. */
export function createPeople(clientOf: (workspace: string) => Promise<WebClient>, maxAgeMs = defaultMaxAgeMs) {
  const cache = createCache<Profile>({ ttlMs: defaultMaxAgeMs, maxEntries: 2_000 });
  const memberCache = createCache<Members>({
    ttlMs: maxAgeMs,
    maxEntries: 2_000,
    weight: { maxTotal: bounds.membersCached, of: (members) => members?.size ?? 0 },
  });

  async function fetchProfile(workspace: string, person: string): Promise<Profile> {
    const client = await clientOf(workspace);
    const { user } = await client.users.info({ user: person }).catch((error: unknown) => {
      if (isRefused(error, 'no-person')) return { user: undefined };
      throw error;
    });
    return { role: roleIn(workspace, user), isGuest: isGuest(workspace, user), zone: knownZone(user?.tz) };
  }

  const profileOf = ({ workspace, person }: { workspace: string; person: string }, isCurrent = false) =>
    cache[isCurrent ? 'renew' : 'get'](`${workspace} ${person}`, () => fetchProfile(workspace, person));

  return {
    roleOf: async (
      actor: { workspace: string; person: string },
      { isCurrent }: { isCurrent?: boolean } = {},
    ): Promise<Role> => (await profileOf(actor, isCurrent)).role,
    zoneOf: async (actor: { workspace: string; person: string }): Promise<string> => (await profileOf(actor)).zone,
    isGuest: async (actor: { workspace: string; person: string }): Promise<boolean> => (await profileOf(actor)).isGuest,
    /**
     * The members of a private channel; none if it is archived, shared with another organisation or not visible.
     * Undefined if it is public.
     */
    membersOf: (workspace: string, channel: string): Promise<Members> =>
      memberCache.get(`${workspace} ${channel}`, async () => fetchMembership(await clientOf(workspace), channel)),
    async everyoneIn(workspace: string, channel: string, max: number): Promise<string[] | undefined> {
      const members = await fetchMembers(await clientOf(workspace), channel, max + 1);
      return members.length > max ? undefined : members;
    },
    async channelState(workspace: string, channel: string): Promise<ChannelState> {
      const client = await clientOf(workspace);
      try {
        const { channel: info } = await client.conversations.info({ channel });
        const isPrivate = info?.is_private === true;
        if (isSharedOutside(info)) return { problem: 'shared', isPrivate };
        if (info?.is_archived === true) return { problem: 'archived', isPrivate };
        return info?.is_member === true ? { isPrivate } : { problem: 'not-member', isPrivate };
      } catch (error) {
        if (isRefused(error, 'no-conversation')) return { problem: 'gone', isPrivate: true };
        throw error;
      }
    },
  };
}

function roleIn(workspace: string, user: User | undefined): Role {
  if (user === undefined || isInactive(user) || isGuest(workspace, user)) return 'none';
  const { is_admin, is_owner, is_primary_owner, enterprise_user: grid } = user;
  const roles = [is_admin, is_owner, is_primary_owner, grid?.is_admin, grid?.is_owner];
  return roles.includes(true) ? 'admin' : 'member';
}

const isInactive = (user: User) => user.deleted === true || user.is_bot === true;

/** Whether the person is a guest or from another organisation. */
function isGuest(workspace: string, user: User | undefined): boolean {
  if (user === undefined || isInactive(user)) return false;
  const isRestricted = user.is_restricted === true || user.is_ultra_restricted === true;
  return isRestricted || user.is_stranger === true || !isMember(workspace, user);
}

async function fetchMembership(client: WebClient, channel: string): Promise<Members> {
  try {
    const { channel: info } = await client.conversations.info({ channel });
    if (info?.is_private === false) return undefined;
    if (isSharedOutside(info) || info?.is_archived === true) return new Set();
    return new Set(await fetchMembers(client, channel, bounds.membersRead));
  } catch (error) {
    if (isRefused(error, 'no-conversation')) return new Set();
    throw error;
  }
}

/** Stops after the page that reaches `max`. */
async function fetchMembers(client: WebClient, channel: string, max: number): Promise<string[]> {
  const people: string[] = [];
  let cursor: string | undefined;
  do {
    const page = { channel, limit: Math.min(membersPerPage, max), cursor };
    const { members = [], response_metadata: next } = await client.conversations.members(page);
    people.push(...members);
    cursor = next?.next_cursor || undefined;
  } while (cursor !== undefined && people.length < max);
  return people;
}

/** In Enterprise Grid each person has one home workspace, and can be a member of others in the organisation. */
function isMember(workspace: string, { team_id: home, enterprise_user: grid }: User): boolean {
  if (home === workspace || grid?.teams?.includes(workspace) === true) return true;
  return home === undefined && grid?.teams === undefined;
}
