import type { callFaults, deliveryFaults, deliveryKinds } from './kinds.ts';
import type { AppConfig } from './manifest.ts';
import type { Json } from './model.ts';
import type { Outside } from './page/client/state.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';

export type { Channel, ChannelOptions } from './channel-handle.ts';
export type { AppConfig, Manifest } from './manifest.ts';
export type { Client, ElementRef, FileRecord, Json, Message, Role, Team, View } from './model.ts';
export type { Outside } from './page/client/state.ts';
export type { Person, Upload } from './person/person.ts';
export type { Installed, PersonOptions, Workspace, WorkspaceOptions } from './workspace.ts';

/** Slack's own figures, and switches. They are read each time, so a test may change them while it runs. */
export interface Behaviour {
  /** How long Slack waits for an answer to what it delivers. */
  ackMs: number;
  triggerMs: number;
  responseUrlMs: number;
  responseUrlUses: number;
  /** When an event that failed is sent again. */
  retryDelaysMs: number[];
  /** One message a second a channel, and the tiers of the methods. */
  rateLimits: boolean;
  /** How many calls of files.info do not show yet where a file was shared. */
  sharesLag: number;
  /** How long after `files.completeUploadExternal` a file is shared; Infinity is never. A fault of `share` can hold it. */
  shareMs: number;
  /** How many calls of files.info do not know a file's type yet: it is empty until the file was scanned. */
  scanLag: number;
  /** How long `sees` and its like wait. */
  patienceMs: number;
}

/** One call of the Web API; also of what belongs to it: `upload`, `download` and `response_url`. */
export interface Call {
  method: string;
  team: string | undefined;
  at: number;
  /** As they came, less the token. */
  arguments: Json;
  ok: boolean;
  error: string | undefined;
  /** 0 where no answer was sent. */
  status: number;
  /** `struck`: a fault made something else of it. */
  outcome: 'answered' | 'struck';
}

export type DeliveryKind = (typeof deliveryKinds)[number];

/** One attempt to hand something to the bot. */
export interface Delivery {
  kind: DeliveryKind;
  /** Of an event, its type. */
  event: string | undefined;
  team: string;
  at: number;
  /** 0 for the first attempt. */
  retry: number;
  payload: Json;
  /** Milliseconds until it was answered or given up. */
  ms: number;
  status: number | undefined;
  /** `late`: not answered in time. `failed`: not reached, refused, or answered with what Slack does not accept. */
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
  /** Lets what is held back go on. */
  release(): void;
  /** Resolves when it has struck for the first time. */
  struck: Promise<void>;
  /** Strikes no more. */
  remove(): void;
}

/** What is shown beside the workspace on its page, and what can be made to happen there. */
export interface OutsideWorld {
  look(): Outside;
  act(name: string): Promise<void>;
}

export interface SlackServerOptions {
  app: AppConfig;
  host?: string;
  port?: number;
  /** Milliseconds; tests pass their own. */
  clock?: () => number;
  /** Keeps uploaded files here; without it, in a folder of its own that goes with the server. */
  filesDir?: string;
  /** On unless switched off, as in Slack. */
  rateLimits?: boolean;
  behaviour?: Partial<Behaviour>;
  /** The page shows nothing of it unless it is told. */
  outside?: OutsideWorld;
  /** Where the page's scripts lie, compiled; for tests, which run from the sources. */
  pageScripts?: string;
}

export interface SlackServer {
  url: string;
  /** For SLACK_API_URL; with a trailing slash. */
  apiUrl: string;
  authorizeUrl: string;
  /** Host and port to which a bot token may be sent for downloads. */
  fileHost: string;
  behaviour: Behaviour;
  calls: Call[];
  deliveries: Delivery[];
  addFault(fault: FaultRequest): Fault;
  addWorkspace(options?: WorkspaceOptions): Workspace;
  workspaces(): Workspace[];
  /** Where the bot listens: the addresses of the manifest are moved to this origin. */
  deliverTo(origin: string): void;
  /** Ends every connection of Socket Mode, as Slack does now and then. */
  closeSockets(): void;
  /** Resolves when nothing is under way to the bot; retries that wait for their time do not count. */
  settled(): Promise<void>;
  /** Removes all faults, forgets calls and deliveries, and behaves as at the start. Workspaces stay. */
  forget(): void;
  close(): Promise<void>;
}
