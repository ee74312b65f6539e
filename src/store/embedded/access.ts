import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './account.ts';

/**
 * Finds the outermost folder on the way to `path` (included) that this account can't enter. Decides by the folders'
 * modes, because we can't act as the account. Its programs run with its primary group only.
 */
export async function findInaccessibleFolder(
  path: string,
  account: Pick<Account, 'uid' | 'gid'>,
): Promise<string | undefined> {
  const parent = dirname(path);
  const inaccessibleParent = parent === path ? undefined : await findInaccessibleFolder(parent, account);
  if (inaccessibleParent !== undefined) return inaccessibleParent;
  const { uid, gid, mode } = await stat(path);
  const enterBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & enterBit) === 0 ? path : undefined;
}
