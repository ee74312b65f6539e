import type { Account, Behaviour, Call, Fault, FaultRequest, InboxItem, Mail, NewInboxItem } from './state/model.ts';
import type { NewAccount } from './state/world.ts';

export type * from './state/model.ts';

export interface ExchangeServerOptions {
  host?: string;
  port?: number;
  /** Path before the user's segment: `https://host/base/{user}/`. */
  basePath?: string;
  /** In milliseconds; tests pass a fake clock. */
  clock?: () => number;
  /** Stores files in this folder; in memory if omitted. */
  filesDir?: string;
  behaviour?: Partial<Behaviour>;
  /** Serves https if set. */
  tls?: { key: string; cert: string };
  /** If set (0 for any), serves the admin page and its JSON API on this loopback port. */
  adminPort?: number;
}

export interface ExchangeServer {
  /** The service's address for clients, without a trailing slash. */
  url: string;
  adminUrl: string | undefined;
  behaviour: Behaviour;
  /**
   * Every request for an operation, with or without a fault. An entry is added when the outcome is known: just before
   * the last chunk of the answer, after a fault was applied, or when the client has disconnected.
   */
  calls: Call[];
  outbox: Mail[];
  addAccount(account: NewAccount): Account;
  account(user: string): Account;
  /** Adds files to an account's inbox, as if a contact had uploaded them. */
  addInboxItem(user: string, item: NewInboxItem): Promise<InboxItem>;
  /** The bytes of a stored file, by its digest. */
  readFile(sha256: string): Promise<Buffer>;
  addFault(fault: FaultRequest): Fault;
  /** Closes the port and all connections, until `resume`. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  isSuspended(): boolean;
  /** The number of open TCP connections. */
  connections(): number;
  close(): Promise<void>;
}
