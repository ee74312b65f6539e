/** The operations of the service's API, by the names of their endpoints. */
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
 * Where the API's documentation is silent, each reading is a switch. The first value named is the default.
 * The server reads them at each request, so a test may change them while it runs.
 */
export interface Behaviour {
  /** `replace`: the list sent becomes the list. `refuse-existing`: it is added, and refused if it names an existing contact; `[]` still removes all. */
  contactsAdd: 'replace' | 'refuse-existing';
  /** What happens to the uploaded files once they were dispatched. */
  uploadsAfterDispatch: 'cleared' | 'kept';
  /** How a refusal looks: a status code with a line of text, an HTML page with 200, `{"status":"error"}` with 200, or 200 and nothing. */
  failure: 'status' | 'html' | 'json' | 'empty';
  liveDropsField: 'live_drops' | 'live_drop';
  /** `structured`: `{"status":{"code":"ok","message":"…"}}`. */
  status: 'plain' | 'structured';
  /** `changed`: an uploaded file is stored under another name (spaces to underscores, a suffix where it exists). */
  uploadNames: 'kept' | 'changed';
  downloadFraming: 'length' | 'chunked' | 'until-close';
  /** How many reads of the history do not show a new drop yet. */
  historyLag: number;
  /** What the 61st token of a user does. */
  tokenOverflow: 'drop-oldest' | 'refuse';
  tokenLifeMs: number;
  tokenLimit: number;
  /** Milliseconds of one unit of `desttime`; the documentation names none. */
  ttlUnitMs: number;
  /** Bytes that all uploaded files of an account may have together. */
  diskBytes: number;
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
  /** What was taken from this page, and when: the receipt. */
  taken: { name: string; at: number }[];
}

export interface Drop {
  id: string;
  /** `downloadfiles` for a dispatch, `uploadfiles` for granted access. */
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
  /** The `desttime` it was granted with; what is sent through it lives as long again. */
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

/** What a test may look at and change; live, not a copy. */
export interface Account {
  user: string;
  apiKey: string;
  number: string;
  contacts: { local: Contact[]; global: Contact[] };
  receivers: Contact[];
  /** Files count as shareable only once get_files.cgi has been called. */
  filesInitialised: boolean;
  uploads: StoredFile[];
  drops: Drop[];
  uploadPages: UploadPage[];
  inbox: InboxItem[];
  tokens: { value: string; lastUsed: number }[];
}

/** A mail that the service would have sent. */
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
  /** Which TCP connection carried it, counted from 1. */
  connection: number;
  token: string | undefined;
  /**
   * `done`: processed and answered; `refused`: answered with a refusal; `aborted`: the client left before it was
   * answered; `answered`: by a fault of kind `answer`; else what a fault made of it.
   */
  outcome: 'done' | 'refused' | 'reset' | 'hung' | 'aborted' | 'answered';
  /** Whether the account's state was changed by it, or read, as asked. Of `process-later` it becomes true later. */
  processed: boolean;
}

export type FaultKind =
  /**
   * Waits for `release()` and then goes on as if nothing had been; an upload before its body is read, anything else
   * after, so that it is carried out even if its client has left meanwhile.
   */
  | 'delay'
  /** Takes the request, does nothing, never answers. */
  | 'hang'
  /** Processes, then never answers. */
  | 'hang-after'
  /** Resets the connection without processing. An upload is reset before its body is read. */
  | 'reset-before'
  /**
   * Resets in the middle: an upload while its body is being read (not processed); anything else after half of its
   * answer (processed). Where data has a reset right behind it, node's clients may take it for a plain end.
   */
  | 'reset-during'
  /** Processes, then resets without a byte of an answer. */
  | 'reset-after'
  /** Reads the body, resets at once; processes when `release()` is called. */
  | 'process-later'
  /** Treats the token as expired, whatever it is. */
  | 'wrong-token'
  /** Refuses an upload as if there were no room. Reads the body first. */
  | 'disk-full'
  /** Answers with `answer` instead of processing. */
  | 'answer';

export interface FaultRequest {
  operation: Operation;
  kind: FaultKind;
  /** How many requests it strikes; 1 unless told. */
  times?: number;
  /** For `answer`: what is sent. Status 200 and text/html unless told; a header given as undefined is left out. */
  answer?: { status?: number; headers?: Record<string, string | undefined>; body?: string | Uint8Array };
}

export interface Fault {
  /** Lets what `delay` or `process-later` holds back at this moment go on; resolves when that is done. */
  release(): Promise<void>;
  /** Resolves when the fault has struck for the first time: what it does at once has been done by then. */
  struck: Promise<void>;
  /** Strikes no more. */
  remove(): void;
}

export interface ExchangeServerOptions {
  host?: string;
  port?: number;
  /** Path before the user's: `https://host/base/{user}/`. */
  basePath?: string;
  /** Milliseconds; tests pass their own. */
  clock?: () => number;
  /** Keeps files here; without it, in memory. */
  filesDir?: string;
  behaviour?: Partial<Behaviour>;
  /** Serves https. */
  tls?: { key: string; cert: string };
  /** Where set (0 for any), the admin pages and calls are served on this loopback port. */
  adminPort?: number;
}

export interface ExchangeServer {
  /** What a client is given as the service's address; without a trailing slash. */
  url: string;
  adminUrl: string | undefined;
  behaviour: Behaviour;
  /**
   * Every request for an operation, whether struck by a fault or not. One is added when its outcome is known: just
   * before the last piece of its answer is sent, or when a fault has done with it, or when its client has left.
   */
  calls: Call[];
  outbox: Mail[];
  addAccount(account: { user: string; apiKey: string; number?: string; global?: Contact[] }): Account;
  account(user: string): Account;
  /** Puts files into an account's inbox, as if a contact had uploaded them. */
  addInboxItem(
    user: string,
    item: { sender: string; files: { name: string; data: Uint8Array | string; type?: string }[]; ttl?: number },
  ): Promise<InboxItem>;
  /** The bytes of a stored file, by its digest. */
  readFile(sha256: string): Promise<Buffer>;
  addFault(fault: FaultRequest): Fault;
  /** TCP connections open right now. */
  connections(): number;
  close(): Promise<void>;
}
