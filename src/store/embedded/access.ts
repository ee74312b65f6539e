import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './account.ts';

/**
 * Finds the first folder from the root down to `path` that this account can't enter. Checks the modes of the folders,
 * because we can't act as the account. Ignores its secondary groups, because Postgres runs without them.
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
