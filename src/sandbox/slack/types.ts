import type { DisconnectReason } from './delivery/socket-hub.ts';
import type { OutsideWorld } from './page/outside.ts';
import type { Behaviour } from './state/behaviour.ts';
import type { Fault, FaultRequest } from './state/faults.ts';
import type { Call, Delivery } from './state/log.ts';
import type { AppConfig } from './state/manifest.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';

export type { Channel, ChannelOptions } from './channel-handle.ts';
export type { Outside } from './page/client/state.ts';
export type { OutsideWorld } from './page/outside.ts';
export type { Person, Upload } from './person/person.ts';
export type { Behaviour } from './state/behaviour.ts';
export type { CallFaultKind, DeliveryFaultKind, Fault, FaultRequest } from './state/faults.ts';
export type { Call, Delivery, DeliveryKind } from './state/log.ts';
export type { AppConfig, Manifest } from './state/manifest.ts';
export type { Client, ElementRef, FileRecord, Json, Message, Role, Team, View } from './state/model.ts';
export type { Installed, PersonOptions, Workspace, WorkspaceOptions } from './workspace.ts';

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
  behaviour: Behaviour;
  calls: Call[];
  deliveries: Delivery[];
  addFault(fault: FaultRequest): Fault;
  addWorkspace(options?: WorkspaceOptions): Workspace;
  workspaces(): Workspace[];
  /** Sets the bot's origin, which replaces the origin in the manifest's URLs. */
  deliverTo(origin: string): void;
  /** Closes every Socket Mode connection without a warning. */
  closeSockets(): void;
  /**
   * Asks the bot to renew its oldest Socket Mode connections (default: one), as Slack does every few hours. They are
   * closed after `behaviour.socketRefreshMs`.
   */
  refreshSockets(reason: DisconnectReason, howMany?: number): void;
  countSockets(): number;
  /** Resolves when no delivery is in flight; scheduled retries don't count. */
  untilIdle(): Promise<void>;
  /** Removes all faults, calls and deliveries, and restores the initial behaviour. Workspaces stay. */
  reset(): void;
  close(): Promise<void>;
}
