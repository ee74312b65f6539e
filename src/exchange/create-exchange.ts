import { parseAccount } from './address.ts';
import type { ServiceAgent } from './agent.ts';
import { type Contact, type ContactLists, readContacts, replaceContacts, setReceivers } from './contacts.ts';
import { createDispatch, type DispatchParameters, grantAccess } from './dispatch.ts';
import { type Download, download, type InboxFile } from './download.ts';
import type { HistoryEntry, UploadedFile } from './entries.ts';
import { listFiles, removeFile } from './files.ts';
import { type History, type HistoryOptions, type Inbox, type InboxOptions, readHistory, readInbox } from './history.ts';
import { type CallHooks, joinHooks, withHooks } from './hooks.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { type CallLimit, type CallOptions, createSession, type Log, type OnCall, type Session } from './session.ts';
import type { TokenStore } from './tokens.ts';
import { type FileSource, type UploadOptions, upload } from './upload.ts';

export interface ExchangeOptions extends CallHooks {
  baseUrl: string;
  username: string;
  apiKey: string;
  tokens: TokenStore;
  /** The connections to the service, from `createServiceAgent`. The caller closes them. */
  dispatcher: ServiceAgent;
  /** Limits concurrent calls, except file transfers, dispatches and grants. By default, there is no limit. */
  limitCall?: CallLimit;
  log?: Log;
  /** Called after each call. `outcome` is `ok`, `aborted` or the code of the error. */
  onCall?: OnCall;
  clock?: () => number;
  limits?: Partial<Limits>;
}

/** One account of the service. Each method is commented with its number in the API's documentation. */
export interface Exchange {
  /** The id of the account. Stored rows, locks and tokens are keyed by it. */
  readonly account: string;
  /** The same client with these hooks in addition to its own. */
  with(hooks: CallHooks): Exchange;
  /** 1. Loads the account page: verifies address, account and key, and fetches a token. */
  signIn(options?: CallOptions): Promise<void>;
  /** 2 */
  readContacts(options?: CallOptions): Promise<ContactLists>;
  /** 3. The list sent replaces the local contacts. */
  replaceContacts(contacts: readonly Contact[], options?: CallOptions): Promise<void>;
  /** 4. The list sent replaces the receivers. */
  setReceivers(receivers: readonly Contact[], options?: CallOptions): Promise<void>;
  /** 5. Also initialises the list on the service; without that, nothing can be dispatched. */
  listFiles(options?: CallOptions): Promise<UploadedFile[]>;
  /** 6 */
  removeFile(name: string, options?: CallOptions): Promise<void>;
  /** 7 */
  upload(source: FileSource, options?: UploadOptions): Promise<void>;
  /** 8. Sends all uploaded files to all receivers. Sent at most once. */
  createDispatch(parameters: DispatchParameters, options?: CallOptions): Promise<void>;
  /** 9. Sent at most once. */
  grantAccess(parameters: DispatchParameters, options?: CallOptions): Promise<void>;
  /** 10, to show or compare entries. */
  readHistory<T = HistoryEntry>(options?: HistoryOptions<T>): Promise<History<T>>;
  /** 10, for a poller. */
  readInbox(options?: InboxOptions): Promise<Inbox>;
  /** 11 */
  download(file: InboxFile, options?: CallOptions): Promise<Download>;
}

export function createExchange(options: ExchangeOptions): Exchange {
  const account = parseAccount(options.baseUrl, options.username);
  const credentials = Buffer.from(`${account.user}:${options.apiKey}`).toString('base64');
  const session = createSession({
    transport: {
      account,
      authorization: `Basic ${credentials}`,
      dispatcher: options.dispatcher,
      limits: { ...defaultLimits, ...options.limits },
    },
    limitCall: options.limitCall,
    secrets: [options.apiKey, credentials],
    tokens: options.tokens,
    clock: options.clock ?? Date.now,
    log: options.log,
    onCall: options.onCall,
  });
  const { signal, beforeCall, onUnanswered } = options;
  return clientOf(account.id, session, { signal, beforeCall, onUnanswered });
}

function clientOf(account: string, baseSession: Session, hooks: CallHooks): Exchange {
  const session = withHooks(baseSession, hooks);
  return {
    account,
    with: (addedHooks) => clientOf(account, baseSession, joinHooks(hooks, addedHooks)),
    signIn: (options = {}) => session.signIn(options),
    readContacts: (options) => readContacts(session, options),
    replaceContacts: (contacts, options) => replaceContacts(session, contacts, options),
    setReceivers: (receivers, options) => setReceivers(session, receivers, options),
    listFiles: (options) => listFiles(session, options),
    removeFile: (name, options) => removeFile(session, name, options),
    upload: (source, options) => upload(session, source, options),
    createDispatch: (parameters, options) => createDispatch(session, parameters, options),
    grantAccess: (parameters, options) => grantAccess(session, parameters, options),
    readHistory: (options) => readHistory(session, options),
    readInbox: (options) => readInbox(session, options),
    download: (file, options) => download(session, file, options),
  };
}
