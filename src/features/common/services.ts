import type { Readable } from 'node:stream';
import type { Exchange, Turn } from '../../exchange/index.ts';
import type { JobLog, Queue } from '../../jobs/index.ts';
import type { Credentials, Store } from '../../store/index.ts';

/** What every operation gets. Operations don't depend on Slack: they get what they need from it as functions here. */
export interface Services {
  store: Store;
  queue: Queue;
  log: JobLog;
  /** A client for these credentials. The code that builds the services decides on connections, tokens and limits. */
  connectTo(credentials: ServiceLogin, turn?: Turn): Exchange;
  /** Set in code that answers people: limits calls to the service, so that no workspace takes all connections. */
  turnOf?: ((workspace: string) => Turn) | undefined;
  people: People;
  sources: FileSources;
  notifier: Notifier;
  announcer: InboxAnnouncer;
  timing: Timing;
}

export type ServiceLogin = Pick<Credentials, 'baseUrl' | 'username' | 'apiKey'>;

/** The person who acts, and their workspace. */
export interface Actor {
  workspace: string;
  person: string;
  /** Shown to the person if the operation fails; also in the audit entry and in the log. */
  reference?: string;
}

/** `none`: guests, bots, deactivated people and people from other organisations. They can't use Dropline. */
export type Role = 'admin' | 'member' | 'none';

export interface People {
  /** The person's role now. Rejects if it can't be read, which is never a permission. */
  roleOf(actor: Actor): Promise<Role>;
}

/** A file at its source, as of the last look. A different size or stamp means a different file. */
export interface SourceFile {
  name: string;
  size: number;
  stamp: string;
}

export interface Look {
  /** As it is now; otherwise the result can be up to a minute old. */
  isFresh?: boolean | undefined;
  /** The stored record, used while Slack rate-limits calls. Without it, the look waits. */
  known?: SourceFile | undefined;
  signal?: AbortSignal | undefined;
}

export interface FileSources {
  /** Undefined if the file is gone or was never in this workspace. Rejects with `invalid` or `busy` if refused. */
  look(workspace: string, id: string, how?: Look): Promise<SourceFile | undefined>;
  open(workspace: string, id: string, signal: AbortSignal): Promise<Readable>;
}

/** Where a message is in Slack. Opaque here: only the code that posted it can read it. */
export type Location = Record<string, string>;

export type Phase = 'waiting' | 'checking' | 'uploading' | 'committing' | 'sent' | 'settling' | 'cleaning' | 'stopping';

export interface Progress {
  phase: Phase;
  /** The current file, from 1; `files` is how many there are. */
  file: number;
  files: number;
  bytes: number;
  totalBytes: number;
}

/** Tells people how work ended. Calls are repeated until they resolve, except progress, which can get lost. */
export interface Notifier {
  progress(transfer: { workspace: string; id: string }, progress: Progress): void;
  /** A transfer has ended; its row says how. */
  transferEnded(transfer: { workspace: string; id: string }): Promise<void>;
  /** Something that an admin must know and sometimes act on. */
  alarm(workspace: string, alarm: Alarm): Promise<void>;
  /** An edit of contacts has ended. */
  contactsEdited(edit: { workspace: string; id: string; person: string }, outcome: EditOutcome): Promise<void>;
}

/** A set of files that a sender put into the account's inbox. */
export interface InboxItem {
  url: string;
  sender: string | undefined;
  /** Seconds since 1970, by the service's clock. */
  createdAt: number | undefined;
  ttl: string | undefined;
  files: string[];
  /** Files beyond `bounds.filesPerItem`, whose names aren't known. */
  filesLeftOut?: number | undefined;
  /** Expired or removed: its files can't be downloaded. */
  isGone: boolean;
  /** Who downloaded which file. */
  taken: { person: string; file: string; at: number }[];
}

/** Who requested files from the item's sender. If several people did, it could be for any of them: all are notified. */
export interface Belonging {
  kind: 'reply' | 'several' | 'unasked';
  requests: { id: string; person: string; place: Location | undefined }[];
}

/**
 * Posts inbox items where people see them. Each call is repeated until it resolves, and not after that. Rejects with
 * `no-place` if it can't post now.
 */
export interface InboxAnnouncer {
  item(workspace: string, item: InboxItem, belonging: Belonging): Promise<Location>;
  /**
   * One message for several new items, for the same location and with the same `belonging`: too many to post each one.
   *
   * @param leftOut how many more the service has that aren't shown anywhere
   */
  many(workspace: string, items: InboxItem[], belonging: Belonging, leftOut: number): Promise<Location>;
  /** Tells a channel that new files will be posted there, and who chose it. */
  chosen(workspace: string, channel: string, person: string): Promise<void>;
  /** Announces the items that were there before the workspace was connected. */
  baseline(workspace: string, count: number, leftOut: number): Promise<void>;
  /** Updates the post of an item that has changed. */
  changed(workspace: string, item: InboxItem, location: Location): Promise<void>;
}

export type Alarm =
  | { kind: 'credentials-refused' }
  | { kind: 'difference'; transfer: string; person: string; sentence: string; names: string[] }
  | { kind: 'outcome-unknown'; transfer: string; person: string }
  /** It was sent, although the sender had been told that it probably wasn't, or that this was unknown. */
  | {
      kind: 'found';
      transfer: string;
      person: string;
      of: 'dispatch' | 'grant';
      emails: string[];
      after: 'failed' | 'unknown';
    }
  /** The sender sent it again after being told so, and both exist. */
  | { kind: 'duplicate'; transfer: string; person: string; of: 'dispatch' | 'grant'; emails: string[] }
  | { kind: 'contacts-restored'; person: string; emails: string[] };

export type EditOutcome =
  | { state: 'done'; added: number; updated: number; removed: number; restored: string[] }
  | { state: 'failed'; code: string; sentence: string; names: readonly string[] };

/** How long Dropline waits. Tests wait less. */
export interface Timing {
  /**
   * While an outcome is unknown: between reads of the history, of which three must agree, or of the contacts. Also
   * before others use an account on which a call can still take effect.
   */
  reconcilePauseMs: number;
  /** Before each read of the history that looks for a transfer that was just created. */
  verifyPausesMs: readonly number[];
  /** Before each later look, if it wasn't found: less than a day in total. */
  lateLooksMs: readonly number[];
  /** How long a cached contact list can be shown. */
  contactsLifeMs: number;
  /** How long an item must be missing from the inbox before its post says so: a single answer can be wrong. */
  gonePauseMs: number;
  /** Before the next attempt to announce, after nothing could be posted. */
  noChannelPauseMs: number;
  /** How long one job announces before it yields to other workspaces and continues later. */
  announceMs: number;
  /** How long the status waits for the service to answer. */
  healthMs: number;
  /** How often a running transfer checks whether it was cancelled or its workspace was disconnected. */
  watchMs: number;
  /** After the last of several files that were shared together, before Dropline answers them. */
  batchMs: number;
  /** How long a browser can stop reading a download; longer than the service is allowed to pause. */
  stallMs: number;
  /** Before each check whether Slack shows a file that it has accepted. After the last one, the person is notified. */
  shareLooksMs: readonly number[];
}

export const defaultTiming: Timing = {
  reconcilePauseMs: 30_000,
  verifyPausesMs: [0, 2_000, 5_000],
  lateLooksMs: [5 * 60_000, 30 * 60_000, 3 * 3_600_000, 12 * 3_600_000],
  contactsLifeMs: 30_000,
  gonePauseMs: 150_000,
  noChannelPauseMs: 60_000,
  announceMs: 120_000,
  healthMs: 8_000,
  watchMs: 1_000,
  batchMs: 2_000,
  stallMs: 90_000,
  shareLooksMs: [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000],
};
