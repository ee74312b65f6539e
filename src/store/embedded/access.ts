import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './account.ts';

/**
 * The outermost folder on the way to `path` (included) that this account can't enter. Checks the modes, because only
 * the account itself could try it. The programs run with the account's primary group only.
 */
export async function closedFolder(path: string, account: Pick<Account, 'uid' | 'gid'>): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await closedFolder(parent, account);
  if (above !== undefined) return above;
  const { uid, gid, mode } = await stat(path);
  const mayEnter = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & mayEnter) === 0 ? path : undefined;
}
