import type { Behaviour } from './behaviour.ts';
import type { Faults } from './faults.ts';
import type { Call, Delivery } from './log.ts';
import type { AppConfig } from './manifest.ts';
import type { Channel, Client, Team, User } from './model.ts';
import type { FileWriter, Sockets } from './ports.ts';

/** Opens one view, once, within three seconds. */
export interface Trigger {
  teamId: string;
  userId: string;
  /** The modal view that issued it, if any. */
  viewId: string | undefined;
  issued: number;
  used: boolean;
}

/** A URL at which the bot can answer an interaction. */
export interface ResponseUrl {
  teamId: string;
  channelId: string;
  userId: string;
  /** The message with the element that the person used; undefined for a command or a shortcut. */
  messageTs: string | undefined;
  issued: number;
  uses: number;
}

/** An upload that the bot has announced. */
export interface Ticket {
  teamId: string;
  fileId: string;
  name: string;
  length: number;
  /** Set once all bytes have arrived. */
  stored: { sha256: string; open(): AsyncIterable<Uint8Array> } | undefined;
  /** Whether the bot has called `files.completeUploadExternal`. */
  completed: boolean;
}

/** The authorization that a consent or sign-in page grants to the bot. */
export interface Grant {
  teamId: string;
  userId: string;
  scopes: string[];
  redirectUri: string | undefined;
  issued: number;
  used: boolean;
  /** For Sign in with Slack; absent for an installation. */
  signIn?: { nonce: string | undefined };
}

/** The whole state of the simulated Slack. */
export interface World {
  app: AppConfig;
  behaviour: Behaviour;
  clock: () => number;
  nextTs: () => string;
  /** This server's origin, known once it listens. */
  origin: string;
  botOrigin: string | undefined;
  teams: Map<string, Team>;
  /** Tokens that were valid once, and Slack's error for each. */
  revokedTokens: Map<string, 'token_revoked' | 'account_inactive'>;
  triggers: Map<string, Trigger>;
  responseUrls: Map<string, ResponseUrl>;
  tickets: Map<string, Ticket>;
  grants: Map<string, Grant>;
  calls: Call[];
  deliveries: Delivery[];
  faults: Faults;
  files: FileWriter;
  sockets: Sockets;
  /** Deliveries in flight. */
  inFlight: Set<Promise<unknown>>;
  /** Scheduled retries and shares. */
  timers: Set<NodeJS.Timeout>;
  /** The times of calls per workspace and method, and of posts per channel, for the rate limits. */
  rates: Map<string, number[]>;
  closed: AbortController;
}

export function teamOf(world: World, id: string): Team {
  const team = world.teams.get(id);
  if (!team) throw new Error(`no workspace ${id}`);
  return team;
}

export function userOf(team: Team, id: string): User {
  const user = team.users.get(id);
  if (!user) throw new Error(`no user ${id} in ${team.name}`);
  return user;
}

export function channelOf(team: Team, id: string): Channel {
  const channel = team.channels.get(id);
  if (!channel) throw new Error(`no conversation ${id} in ${team.name}`);
  return channel;
}

export function clientOf(team: Team, userId: string): Client {
  let client = team.clients.get(userId);
  if (!client) {
    client = {
      destination: undefined,
      modals: [],
      confirmation: undefined,
      notices: [],
      messageValues: {},
      opened: [],
    };
    team.clients.set(userId, client);
  }
  return client;
}

export function isAppMember(team: Team, channel: Channel): boolean {
  return team.appUser !== undefined && channel.members.has(team.appUser.id);
}
