import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { CallLimit, ContactLists, Exchange } from '../../exchange/index.ts';
import type { Queue } from '../../jobs/index.ts';
import { bounds } from '../../lib/bounds.ts';
import type { Cache } from '../../lib/cache.ts';
import type { Digest } from '../../lib/hashed.ts';
import type { Log } from '../../lib/log.ts';
import type { Meter } from '../../lib/metrics.ts';
import type { Scanner } from '../../scan/index.ts';
import type { Credentials, Desk, Store } from '../../store/index.ts';
import type { SharedWork } from './shared-work.ts';

/** The dependencies of all operations. Operations don't import Slack code: they use Slack through these interfaces. */
export interface Services extends SharedWork {
  store: Store;
  queue: Queue;
  log: Log;
  /** A client for these credentials. Connections, tokens and limits are configured where the services are created. */
  connectTo(credentials: ServiceLogin, limitCall?: CallLimit): Exchange;
  /** Limits the calls of a workspace with `calls`. Only set for code that answers people. */
  callLimitOf?: (workspace: string) => CallLimit;
  people: People;
  sources: FileSources;
  notifier: Notifier;
  announcer: InboxAnnouncer;
  timing: Timing;
  contactCaches: ContactCaches;
  /** The operator's malware scanner, if there is one. Only features/scanning uses it to relay files. */
  scanner?: Scanner;
  metrics?: Meter;
}

/**
 * Recently read contacts, by workspace and account. Workspaces that share an account don't share an entry: if one
 * workspace's key is revoked, that workspace must neither see the other's list nor block the other's reads. Edits bypass
 * the cache and read under the lock.
 */
export interface ContactCaches {
  lists: Cache<ContactLists>;
  /** Limits how often lists are reloaded. Holds no lists: these are in `lists`. */
  renewals: Cache<void>;
}

export type ServiceLogin = Pick<Credentials, 'baseUrl' | 'username' | 'apiKey'>;

/** The person who acts, and the account that they act on. */
export interface Actor extends Desk {
  person: string;
  /** Shown to the person if the operation fails unexpectedly; also in the audit entry and in the log. */
  reference?: string;
}

/** `none`: guests, bots, deactivated people and people from other organisations. They can't use Dropline. */
export type Role = 'admin' | 'member' | 'none';

export interface People {
  /**
   * The person's role: at most a minute old, or `isCurrent` for decisions. Rejects if it can't be read: callers must
   * then refuse.
   */
  roleOf(actor: Actor, options?: { isCurrent?: boolean }): Promise<Role>;
  /** The person's time zone as an IANA name; UTC if Slack doesn't know it. */
  zoneOf(actor: Actor): Promise<string>;
  /**
   * The members of a private channel, at most a minute old. Empty if the channel is shared with another organisation or
   * can't be used; undefined if it is public, because everyone can join it.
   */
  membersOf(workspace: string, channel: string): Promise<ReadonlySet<string> | undefined>;
  /** Whether the person is a guest or from another organisation. Up to a minute old. */
  isGuest(actor: Actor): Promise<boolean>;
  /** Everyone in a channel, also bots; undefined if there are more than `max`. */
  everyoneIn(workspace: string, channel: string, max: number): Promise<string[] | undefined>;
  /** What keeps Dropline from posting in a channel, and whether it is private now. */
  channelState(workspace: string, channel: string): Promise<ChannelState>;
}

export interface ChannelState {
  /** `gone`: deleted, or private and the bot isn't in it. */
  problem?: 'gone' | 'archived' | 'shared' | 'not-member';
  isPrivate: boolean;
}

/** A file in Slack, as it was when last read. If size or stamp differ, the file has been replaced. */
export interface SourceFile {
  name: string;
  size: number;
  stamp: string;
  /** Its text can be edited, even twice within a second, which is the resolution of the stamp. */
  isSnippet: boolean;
  /** Whether it is in a conversation. How long Slack keeps other files, such as attached ones, isn't documented. */
  isShared: boolean;
}

export interface InspectOptions {
  /** Whether to read the file's current state; otherwise the result can be up to a minute old. */
  isFresh?: boolean;
  /** The last result, returned while Slack rate-limits calls or processes the file. Without it, the call waits. */
  known?: SourceFile;
  signal?: AbortSignal;
}

export interface FileSources {
  /**
   * Resolves with undefined if the file was deleted or was never in this workspace. Rejects with `invalid` or `busy` if
   * the file can't be sent or Slack refuses the call.
   */
  inspect(workspace: string, id: string, options?: InspectOptions): Promise<SourceFile | undefined>;
  open(workspace: string, id: string, signal: AbortSignal): Promise<Readable>;
}

/** A file that a person gets by a link. `url`: the item of a received file. `transfer`: of a copy for an approver. */
export interface LinkedFile {
  name: string;
  sender?: string;
  url?: string;
  transfer?: { id: string; file: string };
  isInfected?: true;
}

/** How files reach a person: in Slack, or by a link that works once. */
export interface FileDelivery {
  /** A link if an admin chose that, or if the app can't add files to Slack. Rejects if neither is possible. */
  methodFor(workspace: string, setting: string): Promise<'upload' | 'link'>;
  /** Whether Dropline has a public address. Without it there are no links. */
  hasLinks: boolean;
  /** Makes a link to the file. `inSameTransaction` runs before the commit. */
  linkTo(
    actor: Actor & Required<Desk>,
    file: LinkedFile,
    inSameTransaction: (client: pg.PoolClient) => Promise<void>,
  ): Promise<string>;
}

/** The dependencies of operations that give a file to a person. */
export interface DeliveryServices extends Services {
  delivery: FileDelivery;
}

/** Where a message is in Slack. Opaque here: only the code that posted it can read it. */
export type Location = Record<string, string>;

export type Phase =
  | 'waiting'
  | 'checking'
  | 'uploading'
  | 'committing'
  | 'sent'
  | 'reconciling'
  | 'cleaning'
  | 'stopping';

export interface Progress {
  phase: Phase;
  /** The number of the current file, from 1. `files` is the total. */
  file: number;
  files: number;
  bytes: number;
  totalBytes: number;
}

/** Tells people how work ended. Calls are repeated until they resolve, except `progress`, which isn't reliable. */
export interface Notifier {
  progress(transfer: { workspace: string; id: string }, progress: Progress): void;
  /** A transfer has ended. Its database row has the outcome. */
  transferEnded(transfer: { workspace: string; id: string }): Promise<void>;
  /** A transfer needs approval, or its approval was decided. Updates the cards of approvers and sender. */
  approvalChanged(transfer: { workspace: string; id: string }): Promise<void>;
  /** A transfer waits because of a pause. Updates its card. */
  transferPaused(transfer: { workspace: string; id: string }): Promise<void>;
  /** Someone else took over, finished or reopened an inbox item that the person had taken. */
  workChanged(holder: Actor, change: { item: InboxItem; by: string; what: WorkNotice }): Promise<void>;
  /** Something that an admin must know and sometimes act on. Only admins who belong to the desk learn names. */
  alarm(desk: Desk, alarm: Alarm): Promise<void>;
  /** An edit of contacts has ended. */
  contactsEdited(edit: Actor & { id: string }, outcome: EditOutcome): Promise<void>;
  /** A disconnect has finished. `isClean`: no uploads of Dropline are left on the account. */
  disconnected(actor: Actor, isClean: boolean): Promise<void>;
  /** Someone else disconnected the workspace, or weakened how files are protected. */
  adminNotice(admin: Actor, notice: AdminNotice): Promise<void>;
  /** An admin chose the channel for new files. Tells the channel, if the bot can post there. */
  channelChosen(admin: Actor, channel: string): Promise<void>;
  /** An inbox channel has guests, who were not known when the admin saved it. */
  guestsFound(admin: Actor, channel: string, guests: number): Promise<void>;
}

export interface AdminNotice {
  by: string;
  /** Set if it is about one of several accounts: only its members are told. */
  account?: string;
  changes: Phrase[];
}

/** What a person did, without the person: “turned off approval for all transfers”. */
export type Phrase = (string | { user: string } | { channel: string })[];

/** A set of files that a sender put into the account's inbox. */
export interface InboxItem {
  url: string;
  sender?: string;
  /** Seconds since 1970, by the service's clock. */
  createdAt?: number;
  expiresAfter?: string;
  /** The time of the poll that found it, in milliseconds; the same for all items that one poll found. */
  foundAt?: number;
  files: string[];
  /** Files beyond `bounds.filesPerItem`, whose names aren't known. All, if the list is over `bounds.fileListBytes`. */
  filesLeftOut?: number;
  /** Expired or removed: the files can't be downloaded. */
  isGone: boolean;
  /** The channel or the people that it belongs to: only they see it. Empty until it is known. */
  belongsTo: readonly string[];
  /** Who downloaded which file, and what bytes it had. */
  downloads: ({ person: string; file: string; at: number } & Partial<Digest>)[];
  /** Files that were found infected, or were delivered without a scan. `detail`: the signature, or the reason. */
  scans?: { file: string; state: 'infected' | 'not-scanned'; detail: string }[] | undefined;
  /** Who works on it. In a view, undefined if Take and Done are off for its channel. */
  work?: ItemWork;
  /** The item's post, which it can share with other items; undefined if no post shows it. */
  post?: PostLocation;
  /** When a poll found it, by the database's clock. */
  firstSeen?: number;
  /** As text from the database: a Date would lose the microseconds. */
  changedAt?: string;
}

/** Where the post of one or several inbox items is. */
export interface PostLocation {
  channel: string;
  ts: string;
  /** The thread of the request that it answers. */
  thread?: string;
  /** The people who asked the items' sender for files. */
  requesters?: string[];
  isDigest?: true;
  /** The ids of all its items, if there are several. */
  items?: string[];
}

/**
 * An item is open, taken or done. A done item remembers who took it; when it is reopened, that person has it again.
 */
export interface ItemWork {
  taken?: WorkMark;
  done?: WorkMark;
}

export type WorkNotice = 'taken' | 'done' | 'reopened';

export interface WorkMark {
  person: string;
  at: Date;
}

/** The requests that an item can be the answer to. If several people asked its sender, all of them are notified. */
export interface RequestMatch {
  kind: 'reply' | 'several' | 'unrequested';
  requests: {
    id: string;
    person: string;
    location: Location | undefined;
  }[];
}

/**
 * Posts inbox items in channels or direct messages. Callers repeat each call until it resolves. Rejects with `no-channel`
 * if it can't post now.
 */
export interface InboxAnnouncer {
  /**
   * Posts one message with all these items and their buttons.
   *
   * @param check called right before each message; rejects if it must not be posted
   */
  postItems(desk: Required<Desk>, post: NewPost, check: () => Promise<void>): Promise<Announced>;
  /**
   * Posts a summary of many new items, without buttons for them.
   *
   * @param leftOut how many more items the service has that Dropline doesn't show
   * @param check as for `postItems`
   */
  postSummary(desk: Required<Desk>, post: NewPost, leftOut: number, check: () => Promise<void>): Promise<Announced>;
  /** Announces how many items were in the inbox before the workspace was connected. */
  postBaseline(desk: Required<Desk>, count: number, leftOut: number): Promise<void>;
  /** Updates a post after one of its items has changed. */
  updatePost(desk: Required<Desk>, items: readonly InboxItem[], location: PostLocation): Promise<void>;
}

/** Where items were announced. */
export interface Announced {
  /** Undefined if several people were told that their contact has sent files. */
  location?: PostLocation;
  /** See `InboxItem`. */
  belongsTo: readonly string[];
}

/** New items for one message. */
export interface NewPost {
  items: InboxItem[];
  requestMatch: RequestMatch;
  /** The channel for these items. If it is undefined, no channel is set, and an admin gets the message. */
  channel: string | undefined;
  /** Whether the channel is private. Then the people who asked for the items are only told that an answer is there. */
  isPrivate: boolean;
  isDigest: boolean;
  /** Whether the items can have been announced before: after a restore from a backup. */
  isRestored: boolean;
}

export type Alarm =
  | { kind: 'credentials-refused' }
  | { kind: 'difference'; transfer: string; person: string; message: string; names: string[] }
  | { kind: 'outcome-unknown'; transfer: string; person: string }
  /** A transfer was sent, although the sender had been told that it probably wasn't or that the outcome was unknown. */
  | {
      kind: 'found';
      transfer: string;
      person: string;
      /** “transfer” or “file request”. */
      noun: string;
      /** Whether the account was on hold because of it. */
      wasHeld: boolean;
      emails: string[];
      after: 'failed' | 'unknown';
    }
  /** The sender repeated a transfer after being told that it probably wasn't sent, and both were sent. */
  | { kind: 'duplicate'; transfer: string; person: string; noun: string; emails: string[] }
  /** Malware was found in a file, which was neither sent nor delivered. */
  | { kind: 'malware'; direction: 'sent' | 'received'; person: string; message: string }
  /** A planned transfer wasn't sent, because its sender can't send any more, for example after leaving. */
  | { kind: 'sender-gone'; person: string; noun: string; emails: string[] }
  | { kind: 'contacts-restored'; person: string; emails: string[] }
  /** A channel that the settings name instead of people was made public. */
  | { kind: 'channel-public'; channel: string }
  /** The workspace's inbox items use `bounds.inboxBytes`, so new ones are left out. */
  | { kind: 'inbox-full' };

export type EditOutcome =
  | { state: 'done'; added: number; updated: number; removed: number; restored: string[] }
  | { state: 'failed'; code: string; message: string; names: readonly string[] };

/** Intervals and timeouts. Tests use shorter ones. */
export interface Timing {
  /**
   * While an outcome is unknown: the pause between two reads of the contacts or of the history. Three reads of the
   * history must agree. Also the pause before other work uses an account on which a call can still take effect.
   */
  reconcilePauseMs: number;
  /** Pauses before each read of the history that looks for a transfer that was just created. */
  verifyPausesMs: readonly number[];
  /** Pauses before each later read of the history, if the transfer wasn't found: less than a day in total. */
  lateCheckPausesMs: readonly number[];
  /** How long a cached contact list can be shown. */
  contactsTtlMs: number;
  /**
   * How long an item must be missing from the inbox before its post shows that, because a single answer can be wrong.
   */
  gonePauseMs: number;
  /** The pause before announcing again, after nothing could be posted. */
  noChannelPauseMs: number;
  /** The pause between two jobs that look up members of inbox channels, each with a limited number of calls. */
  channelCheckMs: number;
  /** How long one job announces before it yields to other workspaces and continues later. */
  announceMs: number;
  /** Reminders of different workspaces are spread over this time. */
  reminderSpreadMs: number;
  /** How long the status waits for the service, and a refresh of the inbox for its poll. */
  healthMs: number;
  /** How often a running transfer checks whether it was cancelled or its workspace was disconnected. */
  stateCheckMs: number;
  /** The longest time in which a transfer can be undone, whatever the settings say. */
  longestUndoMs: number;
  /** Files that a person shares within this time get one answer. */
  batchMs: number;
  /**
   * A browser that reads a download more slowly than this is disconnected, after it was waited for this long: longer
   * than the service is allowed to stall.
   */
  stallMs: number;
  readerBytesPerSecond: number;
  /** How long a download by link waits for its scan to start. */
  scanSlotMs: number;
  /** Pauses before each check whether Slack shows an accepted file. After the last check, the person is notified. */
  shareCheckPausesMs: readonly number[];
  /** The pause between two Socket Mode connections. Slack allows about one new connection a minute. */
  connectionPauseMs: number;
}

export const defaultTiming: Timing = {
  reconcilePauseMs: 30_000,
  verifyPausesMs: [0, 2_000, 5_000],
  lateCheckPausesMs: [5 * 60_000, 30 * 60_000, 3 * 3_600_000, 12 * 3_600_000],
  contactsTtlMs: 30_000,
  gonePauseMs: 150_000,
  noChannelPauseMs: 60_000,
  channelCheckMs: 60_000,
  announceMs: 120_000,
  reminderSpreadMs: 3_600_000,
  healthMs: 8_000,
  stateCheckMs: 1_000,
  longestUndoMs: 350_000,
  batchMs: 2_000,
  stallMs: 90_000,
  readerBytesPerSecond: bounds.service.transferBytesPerSecond,
  scanSlotMs: 30_000,
  shareCheckPausesMs: [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000],
  connectionPauseMs: 61_000,
};
