import type { Outside } from './page/client/state.ts';
import type { callFaults, deliveryFaults, deliveryKinds } from './state/kinds.ts';
import type { AppConfig } from './state/manifest.ts';
import type { Json } from './state/model.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';

export type { Channel, ChannelOptions } from './channel-handle.ts';
export type { Outside } from './page/client/state.ts';
export type { Person, Upload } from './person/person.ts';
export type { AppConfig, Manifest } from './state/manifest.ts';
export type { Client, ElementRef, FileRecord, Json, Message, Role, Team, View } from './state/model.ts';
export type { Installed, PersonOptions, Workspace, WorkspaceOptions } from './workspace.ts';

/** Slack's limits and switches. They are read on every use, so a test can change them while it runs. */
export interface Behaviour {
  /** How long Slack waits for the answer to a delivery. */
  ackMs: number;
  triggerMs: number;
  responseUrlMs: number;
  responseUrlUses: number;
  /** The delays before a failed event is retried. */
  retryDelaysMs: number[];
  /** One message per second and channel, and the tiers of the methods. */
  rateLimits: boolean;
  /** How many calls of files.info still omit a file's shares. */
  sharesLag: number;
  /**
   * How long after `files.completeUploadExternal` a file is shared; Infinity is never. A fault of `share` can delay it.
   */
  shareMs: number;
  /** How many calls of files.info still omit a file's type, which is empty until the scan is done. */
  scanLag: number;
  /** How long `sees` and similar methods wait. */
  timeoutMs: number;
}

/** One call of the Web API, or an `upload`, `download` or `response_url`. */
export interface Call {
  method: string;
  team: string | undefined;
  at: number;
  /** The raw arguments without the token. */
  arguments: Json;
  ok: boolean;
  error: string | undefined;
  /** 0 if no answer was sent. */
  status: number;
  /** `struck`: a fault was applied. */
  outcome: 'answered' | 'struck';
}

export type DeliveryKind = (typeof deliveryKinds)[number];

/** One attempt to deliver something to the bot. */
export interface Delivery {
  kind: DeliveryKind;
  /** For an event: its type. */
  event: string | undefined;
  team: string;
  at: number;
  /** 0 for the first attempt. */
  retry: number;
  payload: Json;
  /** Milliseconds until the answer or the timeout. */
  ms: number;
  status: number | undefined;
  /**
   * `late`: not answered in time. `failed`: unreachable, refused, or answered with something that Slack doesn't accept.
   */
  outcome: 'pending' | 'acked' | 'late' | 'failed';
  /** Why it failed. */
  problem: string | undefined;
}

export type CallFaultKind = keyof typeof callFaults;
export type DeliveryFaultKind = keyof typeof deliveryFaults;

export type FaultRequest = { times?: number } & (
  | { method: string; kind: CallFaultKind; retryAfter?: number; status?: number; error?: string }
  | { delivery: DeliveryKind; event?: string; kind: DeliveryFaultKind }
);

export interface Fault {
  /** Continues everything that is held. */
  release(): void;
  /** Resolves when the fault has first been applied. */
  struck: Promise<void>;
  /** Stops applying the fault. */
  remove(): void;
}

/** The page's side panel: what it shows of the world outside Slack, and its actions. */
export interface OutsideWorld {
  snapshot(): Outside;
  act(name: string): Promise<void>;
}

export interface SlackServerOptions {
  app: AppConfig;
  host?: string;
  port?: number;
  /** In milliseconds; tests pass a fake clock. */
  clock?: () => number;
  /** Stores uploaded files in this folder. Default: a temporary folder that is deleted with the server. */
  filesDir?: string;
  /** Default: on, as in Slack. */
  rateLimits?: boolean;
  behaviour?: Partial<Behaviour>;
  /** The side panel with what is outside Slack; hidden if omitted. */
  outside?: OutsideWorld;
  /** The folder of the page's compiled scripts; for tests, which run from the sources. */
  pageScripts?: string;
}

export interface SlackServer {
  url: string;
  /** For SLACK_API_URL, with a trailing slash. */
  apiUrl: string;
  authorizeUrl: string;
  /** The host and port to which the bot can send its token for downloads. */
  fileHost: string;
  behaviour: Behaviour;
  calls: Call[];
  deliveries: Delivery[];
  addFault(fault: FaultRequest): Fault;
  addWorkspace(options?: WorkspaceOptions): Workspace;
  workspaces(): Workspace[];
  /** Sets the bot's origin, which replaces that of the manifest's URLs. */
  deliverTo(origin: string): void;
  /** Closes every Socket Mode connection, as Slack does from time to time. */
  closeSockets(): void;
  /** Resolves when no delivery is in flight; scheduled retries don't count. */
  settled(): Promise<void>;
  /** Removes all faults, calls and deliveries, and restores the initial behaviour. Workspaces stay. */
  reset(): void;
  close(): Promise<void>;
}
