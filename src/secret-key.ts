import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The key of an embedded database: made once, beside the data, for this account's eyes only. */
export async function readOrMakeSecretKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'secret.key');
  await mkdir(dataDir, { recursive: true });
  try {
    // Fails if it is there, so that two processes which start at once do not each make their own.
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64');
  if (key.length === 32) return key;
  throw new Error(`${file} does not hold a key. Put the right one back, or the data cannot be read.`);
}
