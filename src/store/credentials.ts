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

const definition = defineCollection('credentials', schema);

const accountIn = ({ baseUrl, username }: Credentials) => parseAccount(baseUrl, username).id;

/** The credentials of connected accounts, by workspace and account. For now, a workspace has one account at most. */
export function createCredentials(pool: pg.Pool, cipher: Cipher) {
  const collection = createCollection(pool, cipher, definition);

  async function get(workspace: string, account?: string): Promise<Credentials | undefined> {
    if (account !== undefined) return collection.get(workspace, accountKey(account));
    const [connected] = (await collection.list(workspace)).values();
    return connected;
  }

  async function removeOthers(client: pg.ClientBase, workspace: string, name?: string): Promise<void> {
    for (const other of (await collection.list(workspace, client)).keys())
      if (other !== name) await collection.take(workspace, other, client);
  }

  return {
    /** Without `account`: of the account that the workspace is connected to now. */
    get,
    /** The id of the account that the workspace is connected to now. */
    async accountOf(workspace: string): Promise<string | undefined> {
      const credentials = await get(workspace);
      return credentials && accountIn(credentials);
    },
    /** Connects the workspace to this account and to no other. `within` is a transaction. */
    async set(workspace: string, credentials: Credentials, within?: pg.ClientBase): Promise<void> {
      const name = accountKey(accountIn(credentials));
      const replace = async (client: pg.ClientBase) => {
        await removeOthers(client, workspace, name);
        await collection.set(workspace, credentials, { name, within: client });
      };
      await (within === undefined ? inTransaction(pool, replace) : replace(within));
    },
    delete: (workspace: string): Promise<void> => inTransaction(pool, (client) => removeOthers(client, workspace)),
    /** Lists every workspace that is connected. */
    listOwners: collection.listOwners,
  };
}
