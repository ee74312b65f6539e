import type { Readable } from 'node:stream';
import type { Exchange, Turn } from '../exchange/index.ts';
import type { JobLog, Queue } from '../jobs/index.ts';
import type { Credentials, Store } from '../store/index.ts';

/** What every operation is given. Operations know no Slack: what they need of it comes in here, as plain functions. */
export interface Services {
  store: Store;
  queue: Queue;
  log: JobLog;
  /** A client for these credentials; whoever builds the services decides about connections, tokens and limits. */
  connectTo(credentials: ServiceLogin, turn?: Turn): Exchange;
  /** Where people are answered: whose turn it is to ask the service, so that no workspace takes all connections. */
  turnOf?: ((workspace: string) => Turn) | undefined;
  people: People;
  sources: FileSources;
  notifier: Notifier;
  announcer: InboxAnnouncer;
  timing: Timing;
}

export type ServiceLogin = Pick<Credentials, 'baseUrl' | 'username' | 'apiKey'>;

/** Who acts: a person of a workspace. */
export interface Actor {
  workspace: string;
  person: string;
  /** What the person is shown if it fails; the audit and the log have it too. */
  reference?: string;
}

/** `none`: guests, people from other organisations, bots, and whoever is gone: they may not act at all. */
export type Role = 'admin' | 'member' | 'none';

export interface People {
  /** What the person is at this moment. Rejects where that cannot be told; that is never a permission. */
  roleOf(actor: Actor): Promise<Role>;
}

/** A file that lies elsewhere, as it was when it was looked at. Another size or stamp means another file. */
export interface SourceFile {
  name: string;
  size: number;
  stamp: string;
}

export interface Look {
  /** As it is now; otherwise as it was at some time in the last minute. */
  isFresh?: boolean | undefined;
  /** The stored record, used while Slack limits calls. Without it, the look waits. */
  known?: SourceFile | undefined;
  signal?: AbortSignal | undefined;
}

export interface FileSources {
  /** Undefined where it is gone, or was never there for this workspace. Rejects with `invalid` or `busy` if it is refused. */
  look(workspace: string, id: string, how?: Look): Promise<SourceFile | undefined>;
  open(workspace: string, id: string, signal: AbortSignal): Promise<Readable>;
}

/** Where a message about something stands, in the words of whoever put it there. Opaque here. */
export type Location = Record<string, string>;

export type Phase = 'waiting' | 'checking' | 'uploading' | 'committing' | 'sent' | 'settling' | 'cleaning' | 'stopping';

export interface Progress {
  phase: Phase;
  /** The file in work, from 1, and how many there are. */
  file: number;
  files: number;
  bytes: number;
  totalBytes: number;
}

/** Whoever shows people what happens. What must not be lost is repeated until it resolves; progress may be lost. */
export interface Notifier {
  progress(transfer: { workspace: string; id: string }, progress: Progress): void;
  /** A dispatch or a request has come to its end: its ledger entry says how. */
  transferEnded(transfer: { workspace: string; id: string }): Promise<void>;
  /** What an admin must know and may have to act on. */
  alarm(workspace: string, alarm: Alarm): Promise<void>;
  /** An edit of contacts has come to its end. */
  contactsEdited(edit: { workspace: string; id: string; person: string }, outcome: EditOutcome): Promise<void>;
}

/** A set of files that somebody sent us. */
export interface InboxItem {
  url: string;
  sender: string | undefined;
  /** Seconds since 1970, by the service's clock. */
  createdAt: number | undefined;
  ttl: string | undefined;
  files: string[];
  /** Files beyond `bounds.filesPerItem`, whose names aren't known. */
  filesLeftOut?: number | undefined;
  /** Expired or removed: nothing of it can be downloaded any more. */
  isGone: boolean;
  /** Who took which file. */
  taken: { person: string; file: string; at: number }[];
}

/** Who asked its sender for files. With several who did, nobody can tell whose it is, and all are told. */
export interface Belonging {
  kind: 'reply' | 'several' | 'unasked';
  requests: { id: string; person: string; place: Location | undefined }[];
}

/**
 * Puts inbox items where people see them. Each is called until it resolves, and then no more; where it cannot post now,
 * it rejects with `no-place`.
 */
export interface InboxAnnouncer {
  item(workspace: string, item: InboxItem, belonging: Belonging): Promise<Location>;
  /**
   * More of them at once, for one place, than people would want a message each about; all belong together.
   *
   * @param leftOut how many more the service has, which are not shown anywhere
   */
  many(workspace: string, items: InboxItem[], belonging: Belonging, leftOut: number): Promise<Location>;
  /** Tells a channel that new files will be posted there, and who chose it. */
  chosen(workspace: string, channel: string, person: string): Promise<void>;
  /** What was there already when the workspace was connected. */
  baseline(workspace: string, count: number, leftOut: number): Promise<void>;
  /** What is known of an item has changed since it was put there. */
  changed(workspace: string, item: InboxItem, location: Location): Promise<void>;
}

export type Alarm =
  | { kind: 'credentials-refused' }
  | { kind: 'difference'; transfer: string; person: string; sentence: string; names: string[] }
  | { kind: 'outcome-unknown'; transfer: string; person: string }
  /** It was sent, although its sender had been told that it probably wasn't, or that nobody knew. */
  | {
      kind: 'found';
      transfer: string;
      person: string;
      of: 'dispatch' | 'grant';
      emails: string[];
      after: 'failed' | 'unknown';
    }
  /** It was sent again after such a word, and both exist. */
  | { kind: 'duplicate'; transfer: string; person: string; of: 'dispatch' | 'grant'; emails: string[] }
  | { kind: 'contacts-mended'; person: string; emails: string[] };

export type EditOutcome =
  | { state: 'done'; added: number; updated: number; removed: number; mended: string[] }
  | { state: 'failed'; code: string; sentence: string; names: readonly string[] };

/** How long things are waited for. Tests wait less. */
export interface Timing {
  /**
   * Between two readings of the history, of which three must agree, or of the contacts, when nobody knows what was done;
   * and before others use an account on which a call may still be carried out.
   */
  reconcilePauseMs: number;
  /** Before each reading of the history in which a dispatch that was made is looked for. */
  verifyPausesMs: readonly number[];
  /** Before each further look, where it was not found: less than a day in all. */
  lateLooksMs: readonly number[];
  /** How long a list of contacts is good for showing. */
  contactsLifeMs: number;
  /** How long an item must have been absent from the inbox before its post says so: an answer may be wrong once. */
  gonePauseMs: number;
  /** Before another try to announce where nothing could be posted. */
  noChannelPauseMs: number;
  /** How long one job announces before it makes room for other workspaces and goes on later. */
  announceMs: number;
  /** How long somebody who asks for the status waits for the service to answer. */
  healthMs: number;
  /** How often a running transfer looks whether it was cancelled or its workspace has gone. */
  watchMs: number;
  /** After the last of files that were shared together, before they are answered. */
  batchMs: number;
  /** How long a browser may stop reading a download; longer than the service may pause. */
  stallMs: number;
  /** Before each look whether Slack shows a file that it has accepted; after the last one the person is told. */
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
