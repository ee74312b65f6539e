import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SecretKeyError } from './store/index.ts';

/** The key of an embedded database: created once, next to the data, readable by this account only. */
export async function readOrMakeSecretKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'secret.key');
  await mkdir(dataDir, { recursive: true });
  const text = (await readIfThere(file)) ?? (await make(file));
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new SecretKeyError(`${file} does not hold a key. Put the right one back, or the data cannot be read.`);
}

/**
 * Written under another name and then linked: the file is complete or missing, even after a power cut. If two processes
 * start at once, the second uses the key of the first.
 */
async function make(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`);
    await handle.sync();
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(draft);
  }
  return readFile(file, 'utf8');
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
