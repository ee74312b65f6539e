/** The operations of the service's API, named after their endpoints. */
export type Operation =
  | 'index'
  | 'contacts_read'
  | 'contacts_add'
  | 'receivers_set'
  | 'get_files'
  | 'remove_file'
  | 'upload'
  | 'createdrop'
  | 'givedrop'
  | 'get_history'
  | 'download';

/**
 * Options for what the API's documentation leaves open. The first value listed is the default. The server reads them
 * on every request, so a test can change them while it runs.
 */
export interface Behaviour {
  /**
   * `replace`: the sent list replaces the contacts. `refuse-existing`: its contacts are added, or the list is refused
   * if one of them exists; `[]` still removes all.
   */
  contactsAdd: 'replace' | 'refuse-existing';
  /** Whether a dispatch deletes the uploaded files. */
  uploadsAfterDispatch: 'cleared' | 'kept';
  /**
   * The format of a refusal: a status code with a line of text, an HTML page with 200, `{"status":"error"}` with 200,
   * or an empty 200.
   */
  failure: 'status' | 'html' | 'json' | 'empty';
  /** The field of the history that has the number of live drops. */
  liveDropsField: 'live_drops' | 'live_drop';
  /** `structured`: `{"status":{"code":"ok","message":"…"}}`. */
  status: 'plain' | 'structured';
  /** `changed`: an upload is stored under another name (spaces become underscores, a suffix if the name is taken). */
  uploadNames: 'kept' | 'changed';
  /** How the end of a download is marked: by a content length, in chunks, or by closing the connection. */
  downloadFraming: 'length' | 'chunked' | 'until-close';
  /** How many reads of the history omit a new drop before it appears. */
  historyLag: number;
  /** What happens when a user exceeds `tokenLimit`. */
  tokenOverflow: 'drop-oldest' | 'refuse';
  tokenLifeMs: number;
  tokenLimit: number;
  /** Milliseconds per unit of `desttime`; the documentation names no unit. */
  ttlUnitMs: number;
  /** Limit for an account's uploaded files together. */
  diskBytes: number;
  /** How much longer each call takes. An upload takes ten times that, and its data is read evenly over this time. */
  delayMs: number;
}

export interface Contact {
  email: string;
  [field: string]: unknown;
}

export interface StoredFile {
  name: string;
  type: string;
  bytes: number;
  sha256: string;
}

/** One receiver's download page. */
export interface DownloadPage {
  receiver: Contact;
  url: string;
  /** Which files were downloaded, and when. */
  taken: { name: string; at: number }[];
}

export interface Drop {
  id: string;
  /** `downloadfiles` for a dispatch, `uploadfiles` for an upload grant. */
  type: 'downloadfiles' | 'uploadfiles';
  createdAt: number;
  expiresAt: number;
  ttl: number;
  message: string;
  files: StoredFile[];
  receivers: Contact[];
  pages: DownloadPage[];
}

/** One contact's temporary upload page. */
export interface UploadPage {
  contact: Contact;
  url: string;
  message: string;
  expiresAt: number;
  /** The `desttime` of the grant; files uploaded through the page get the same. */
  ttl: number;
}

export interface InboxItem {
  url: string;
  sender: string;
  createdAt: number;
  expiresAt: number;
  ttl: number;
  files: StoredFile[];
}

/** Files for an account's inbox, as if a contact had uploaded them. */
export interface NewInboxItem {
  sender: string;
  files: { name: string; data: Uint8Array | string; type?: string }[];
  ttl?: number;
}

/** The live state of an account; a test can read and change it. */
export interface Account {
  user: string;
  apiKey: string;
  number: string;
  contacts: { local: Contact[]; global: Contact[] };
  receivers: Contact[];
  /** Uploads can be sent only after get_files.cgi was called. */
  filesInitialised: boolean;
  uploads: StoredFile[];
  drops: Drop[];
  uploadPages: UploadPage[];
  inbox: InboxItem[];
  tokens: { value: string; lastUsed: number }[];
}

/** An email that the service would have sent. */
export interface Mail {
  at: number;
  from: string;
  to: string;
  subject: string;
  message: string;
  link: string;
}

export interface Call {
  operation: Operation;
  user: string;
  at: number;
  /** The number of the TCP connection that carried it, from 1. */
  connection: number;
  token: string | undefined;
  /**
   * `done`: processed and answered. `refused`: answered with a refusal. `aborted`: the client disconnected before the
   * answer. `answered`: by a fault of kind `answer`. `reset` and `hung`: by another fault.
   */
  outcome: 'done' | 'refused' | 'reset' | 'hung' | 'aborted' | 'answered';
  /** Whether the request took effect. For `process-later` this becomes true later. */
  processed: boolean;
}

export type FaultKind =
  /**
   * Waits for `release()`, then continues normally. An upload waits before its body is read; other requests wait after
   * it, so they are processed even if the client has disconnected.
   */
  | 'delay'
  /** Reads the request, does nothing, and never answers. */
  | 'hang'
  /** Processes, then never answers. */
  | 'hang-after'
  /** Resets the connection without processing. An upload is reset before its body is read. */
  | 'reset-before'
  /**
   * Resets in the middle: an upload while its body is being read (not processed), other requests after half of the
   * answer (processed). If a reset follows data immediately, node's clients can mistake it for a regular end.
   */
  | 'reset-during'
  /** Processes, then resets before the first byte of the answer. */
  | 'reset-after'
  /** Reads the body and resets at once; processes on `release()`. */
  | 'process-later'
  /** Treats any token as expired. */
  | 'wrong-token'
  /** Reads the body of an upload, then refuses it because the disk is full. */
  | 'disk-full'
  /** Answers with `answer` instead of processing. */
  | 'answer';

export interface FaultRequest {
  operation: Operation;
  kind: FaultKind;
  /** How many requests it affects. Default: 1. */
  times?: number;
  /** What `answer` sends. Default: status 200 and text/html. A header of undefined is omitted. */
  answer?: { status?: number; headers?: Record<string, string | undefined>; body?: string | Uint8Array };
}

export interface Fault {
  /** Continues the requests that `delay` or `process-later` holds; resolves when they are done. */
  release(): Promise<void>;
  /** Resolves when the fault has first been applied, including its immediate effects. */
  triggered: Promise<void>;
  /** Stops applying the fault. */
  remove(): void;
}
