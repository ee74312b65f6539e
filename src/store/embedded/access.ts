import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './account.ts';

/**
 * The outermost folder on the way to `path` (included) that this account can't enter. Decides by the folders' modes,
 * because we can't act as the account. Its programs run with its primary group only.
 */
export async function inaccessibleFolder(
  path: string,
  account: Pick<Account, 'uid' | 'gid'>,
): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await inaccessibleFolder(parent, account);
  if (above !== undefined) return above;
  const { uid, gid, mode } = await stat(path);
  const enterBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & enterBit) === 0 ? path : undefined;
}
