import { randomBytes } from 'node:crypto';
import type { FileStore } from './file-store.ts';
import { freeName } from './names.ts';
import type { Account, Behaviour, Call, Contact, DownloadPage, Drop, InboxItem, Mail, UploadPage } from './types.ts';

/** What is found behind the address of a page. */
export type PageTarget =
  | { kind: 'download'; account: Account; drop: Drop; page: DownloadPage }
  | { kind: 'upload'; account: Account; page: UploadPage };

/** All there is: what the accounts hold, and what was sent and asked. */
export interface World {
  behaviour: Behaviour;
  clock: () => number;
  accounts: Map<string, Account>;
  outbox: Mail[];
  calls: Call[];
  files: FileStore;
  pages: Map<string, PageTarget>;
  /** Where the pages are, without a trailing slash. Known once the server listens. */
  origin: string;
}

export function addAccount(world: World, { user, apiKey, number = '46700000000', global = [] }: NewAccount): Account {
  // The at-sign also keeps a user's path apart from those of the pages.
  if (!/^[^\s:/@]+@[^\s:/@]+$/.test(user) || user !== user.toLowerCase()) {
    throw new Error(`a user is a lower-case e-mail address, which ${JSON.stringify(user)} is not`);
  }
  if (apiKey === '') throw new Error('a key may not be empty');
  if (world.accounts.has(user)) throw new Error(`there is an account ${user} already`);
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
  if (!account) throw new Error(`there is no account ${user}`);
  return account;
}

/** Files that a contact sent. They are asked for by name, so a name that comes twice gets a suffix. */
export function addToInbox(
  world: World,
  account: Account,
  item: Pick<InboxItem, 'sender' | 'ttl' | 'files'>,
): InboxItem {
  const createdAt = world.clock();
  const files: InboxItem['files'] = [];
  for (const file of item.files) files.push({ ...file, name: freeName(file.name, files) });
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

/** Gives a page its address; who has the address has the page. */
export function publish(world: World, target: PageTarget): void {
  const token = newSecret();
  target.page.url = `${world.origin}/page/${token}`;
  world.pages.set(token, target);
}

export function expiry(world: World, createdAt: number, ttl: number): number {
  return createdAt + ttl * world.behaviour.ttlUnitMs;
}

export function isLive(world: World, thing: { expiresAt: number }): boolean {
  return world.clock() < thing.expiresAt;
}

/** 256 random bits, fit for a path segment. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
