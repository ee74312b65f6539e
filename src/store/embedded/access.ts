import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './account.ts';

/**
 * The outermost folder on the way to `path`, itself included, that this account may not enter. Reads the modes,
 * because nobody but the account itself could try it out; the programs get no groups but the account's first.
 */
export async function closedFolder(path: string, account: Pick<Account, 'uid' | 'gid'>): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await closedFolder(parent, account);
  if (above !== undefined) return above;
  const { uid, gid, mode } = await stat(path);
  const mayEnter = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & mayEnter) === 0 ? path : undefined;
}
