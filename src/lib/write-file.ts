import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file that only this account can read. The text is written under a temporary name first, so the file never
 * has only a part of it, even after a power failure. Rejects with EEXIST if the file exists, unless `canReplace`.
 */
export async function writeFileAtomically(path: string, text: string, { canReplace = false } = {}): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await (canReplace ? rename : link)(temporary, path);
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
}
