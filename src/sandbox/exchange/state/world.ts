import { randomBytes } from 'node:crypto';
import type { FileStore } from './file-store.ts';
import type { Account, Behaviour, Call, Contact, DownloadPage, Drop, InboxItem, Mail, UploadPage } from './model.ts';
import { uniqueName } from './names.ts';

/** What a page's URL refers to. */
export type PageTarget =
  | { kind: 'download'; account: Account; drop: Drop; page: DownloadPage }
  | { kind: 'upload'; account: Account; page: UploadPage };

/** The whole state of the service: accounts, emails and calls. */
export interface World {
  behaviour: Behaviour;
  clock: () => number;
  accounts: Map<string, Account>;
  outbox: Mail[];
  calls: Call[];
  files: FileStore;
  pages: Map<string, PageTarget>;
  /** The origin of the pages, without a trailing slash. Known once the server listens. */
  origin: string;
}

export function addAccount(world: World, { user, apiKey, number = '46700000000', global = [] }: NewAccount): Account {
  // The at-sign also keeps a user's path distinct from the paths of the pages.
  if (!/^[^\s:/@]+@[^\s:/@]+$/.test(user) || user !== user.toLowerCase()) {
    throw new Error(`a user must be a lower-case e-mail address: ${JSON.stringify(user)}`);
  }
  if (apiKey === '') throw new Error('a key must not be empty');
  if (world.accounts.has(user)) throw new Error(`account ${user} already exists`);
  const account: Account = {
    user,
    apiKey,
    number,
    contacts: { local: [], global },
    receivers: [],
    filesInitialised: false,
    uploads: [],
    drops: [],
    uploadPages: [],
    inbox: [],
    tokens: [],
  };
  world.accounts.set(user, account);
  return account;
}

export interface NewAccount {
  user: string;
  apiKey: string;
  number?: string;
  global?: Contact[];
}

export function getAccount(world: World, user: string): Account {
  const account = world.accounts.get(user);
  if (!account) throw new Error(`no account ${user}`);
  return account;
}

/** Adds an item with a contact's files. Files are downloaded by name, so a duplicate name gets a suffix. */
export function addToInbox(
  world: World,
  account: Account,
  item: Pick<InboxItem, 'sender' | 'ttl' | 'files'>,
): InboxItem {
  const createdAt = world.clock();
  const files: InboxItem['files'] = [];
  for (const file of item.files) files.push({ ...file, name: uniqueName(file.name, files) });
  const added = {
    url: newSecret(),
    sender: item.sender,
    createdAt,
    expiresAt: expiry(world, createdAt, item.ttl),
    ttl: item.ttl,
    files,
  };
  account.inbox.push(added);
  return added;
}

/** Assigns a page its secret URL. Anyone with the URL can open the page. */
export function publish(world: World, target: PageTarget): void {
  const token = newSecret();
  target.page.url = `${world.origin}/page/${token}`;
  world.pages.set(token, target);
}

export function expiry(world: World, createdAt: number, ttl: number): number {
  return createdAt + ttl * world.behaviour.ttlUnitMs;
}

export function isLive(world: World, item: { expiresAt: number }): boolean {
  return world.clock() < item.expiresAt;
}

/** 256 random bits, usable as a path segment. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
