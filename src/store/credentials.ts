import type pg from 'pg';
import { z } from 'zod';
import { parseAccount } from '../exchange/index.ts';
import { accountKey, createCollection, defineCollection } from './collections.ts';
import type { Cipher } from './encryption.ts';
import { inTransaction } from './pool.ts';

const schema = z.object({
  baseUrl: z.string(),
  username: z.string(),
  apiKey: z.string(),
  /** What people call the account, where a workspace has several. */
  name: z.string().optional(),
  connectedBy: z.string(),
  connectedAt: z.number(),
  /** The people who connected it before, oldest first. They are notified of changes too. */
  connectedBefore: z.array(z.string()).optional(),
  /** Set on a disconnect or an uninstall. From then on no new work starts, and the workspace's data is cleaned up. */
  leavingSince: z.number().optional(),
  leavingHow: z.enum(['disconnect', 'uninstall']).optional(),
  /** The person who asked for the disconnect, to be notified when it is finished. */
  leavingBy: z.string().optional(),
});
export type Credentials = z.infer<typeof schema>;

/** A connected account of a workspace: this one, or else the only one that the workspace has. */
export interface Desk {
  workspace: string;
  account?: string | undefined;
}

/** The account of people who belong to none of several desks. Nothing is stored for it. */
export const noDesk = '';

/** A desk in a job's payload, which can't hold the id of an account: that is a URL of any length. */
export interface DeskIds extends Record<string, string> {
  workspace: string;
  desk: string;
}

export const idsOfDesk = ({ workspace, account }: Required<Desk>): DeskIds => ({
  workspace,
  desk: accountKey(account),
});

const definition = defineCollection('credentials', schema);

const accountIn = ({ baseUrl, username }: Credentials) => parseAccount(baseUrl, username).id;

export const nameIn = ({ name, username }: Pick<Credentials, 'name' | 'username'>): string => name ?? username;

/** Something was asked of a workspace's only account, but it has several. */
export class SeveralAccountsError extends Error {
  override readonly name = 'SeveralAccountsError';
}

/** The credentials of connected accounts, by workspace and account. */
export function createCredentials(pool: pg.Pool, cipher: Cipher) {
  const collection = createCollection(pool, cipher, definition);

  async function get({ workspace, account }: Desk): Promise<Credentials | undefined> {
    if (account !== undefined) return collection.get(workspace, accountKey(account));
    const [connected, ...others] = (await collection.list(workspace)).values();
    if (others.length > 0) throw new SeveralAccountsError(`workspace ${workspace} has several accounts`);
    return connected;
  }

  return {
    get,
    /** The account's id; undefined if it isn't connected. */
    async accountOf(desk: Desk): Promise<string | undefined> {
      const credentials = await get(desk);
      return credentials && accountIn(credentials);
    },
    /** The desk of a job, whose payload has the key of the account; undefined if it isn't connected. */
    async deskWith({ workspace, desk }: DeskIds): Promise<Required<Desk> | undefined> {
      const credentials = await collection.get(workspace, desk);
      return credentials && { workspace, account: accountIn(credentials) };
    },
    /** All accounts that the workspace has connected, by their ids. */
    async list(workspace: string): Promise<Map<string, Credentials>> {
      const connected = [...(await collection.list(workspace)).values()];
      return new Map(connected.map((credentials) => [accountIn(credentials), credentials]));
    },
    /** What people call the account; undefined if the workspace has no other. `within` is a transaction. */
    async nameOf({ workspace, account }: Desk, within?: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
      if (account === undefined) return undefined;
      const connected = [...(await collection.list(workspace, within)).values()];
      const credentials = connected.find((one) => accountIn(one) === account);
      return connected.length > 1 && credentials !== undefined ? nameIn(credentials) : undefined;
    },
    /** Connects an account, instead of another one if `replaced` is set. `within` is a transaction. */
    async set(
      workspace: string,
      credentials: Credentials,
      { replaced, within }: { replaced?: string; within?: pg.ClientBase } = {},
    ): Promise<void> {
      const account = accountIn(credentials);
      const replace = async (client: pg.ClientBase) => {
        if (replaced !== undefined && replaced !== account)
          await collection.take(workspace, accountKey(replaced), client);
        await collection.set(workspace, credentials, { name: accountKey(account), within: client });
      };
      await (within === undefined ? inTransaction(pool, replace) : replace(within));
    },
    delete: ({ workspace, account }: Required<Desk>): Promise<boolean> =>
      collection.delete(workspace, accountKey(account)),
    /** Lists every workspace that is connected. */
    listOwners: collection.listOwners,
  };
}
