import type { Faults } from './faults.ts';
import type { FileStore } from './files/store.ts';
import type { AppConfig } from './manifest.ts';
import type { Channel, Client, Team, User } from './model.ts';
import type { Person } from './person/person.ts';
import type { SocketHub } from './socket/hub.ts';
import type { Behaviour, Call, Delivery, OutsideWorld } from './types.ts';

/** Opens one view, once, within three seconds. */
export interface Trigger {
  teamId: string;
  userId: string;
  /** The modal's view from which it came, if it came from one. */
  viewId: string | undefined;
  issued: number;
  used: boolean;
}

/** An address at which the bot may answer what a person did. */
export interface ResponseUrl {
  teamId: string;
  channelId: string;
  userId: string;
  /** The message that the person acted on; a command has none. */
  messageTs: string | undefined;
  issued: number;
  uses: number;
}

/** Room for one file that the bot is about to send. */
export interface Ticket {
  teamId: string;
  fileId: string;
  name: string;
  length: number;
  mode: 'hosted' | 'snippet';
  /** Set when all of it has come. */
  stored: { sha256: string; open(): AsyncIterable<Uint8Array> } | undefined;
  spent: boolean;
}

/** What a consent page hands to the bot. */
export interface Grant {
  teamId: string;
  userId: string;
  scopes: string[];
  redirectUri: string | undefined;
  issued: number;
  used: boolean;
  /** Of Sign in with Slack; absent where the app is installed. */
  signIn?: { nonce: string | undefined };
}

/** All there is. */
export interface World {
  app: AppConfig;
  behaviour: Behaviour;
  clock: () => number;
  nextTs: () => string;
  /** This server's own, known once it listens. */
  origin: string;
  botOrigin: string | undefined;
  outside: OutsideWorld | undefined;
  pageScripts: string | undefined;
  teams: Map<string, Team>;
  /** Whoever can act, by user id. */
  people: Map<string, Person>;
  /** Tokens that were valid once and what Slack says to them now. */
  deadTokens: Map<string, 'token_revoked' | 'account_inactive'>;
  triggers: Map<string, Trigger>;
  responseUrls: Map<string, ResponseUrl>;
  tickets: Map<string, Ticket>;
  grants: Map<string, Grant>;
  calls: Call[];
  deliveries: Delivery[];
  faults: Faults;
  files: FileStore;
  sockets: SocketHub;
  /** What is under way to the bot. */
  inFlight: Set<Promise<unknown>>;
  /** Retries that wait for their time. */
  timers: Set<NodeJS.Timeout>;
  /** When each method was called, for the rate limits. */
  rates: Map<string, number[]>;
  closed: AbortController;
}

export function teamOf(world: World, id: string): Team {
  const team = world.teams.get(id);
  if (!team) throw new Error(`there is no workspace ${id}`);
  return team;
}

export function userOf(team: Team, id: string): User {
  const user = team.users.get(id);
  if (!user) throw new Error(`there is no user ${id} in ${team.name}`);
  return user;
}

export function channelOf(team: Team, id: string): Channel {
  const channel = team.channels.get(id);
  if (!channel) throw new Error(`there is no conversation ${id} in ${team.name}`);
  return channel;
}

export function clientOf(team: Team, userId: string): Client {
  let client = team.clients.get(userId);
  if (!client) {
    client = {
      place: undefined,
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
