import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../lib/write-file.ts';
import { SecretKeyError } from './index.ts';

/** The encryption key of an embedded database: created once, next to the data, readable by this account only. */
export async function readOrCreateSecretKey(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true });
  const file = keyFileIn(dataDir);
  return parseKey(file, (await readIfExists(file)) ?? (await createKeyFile(file)));
}

/** The encryption key of an embedded database; undefined if it wasn't created yet. */
export async function readSecretKey(dataDir: string): Promise<Buffer | undefined> {
  const file = keyFileIn(dataDir);
  const text = await readIfExists(file);
  return text === undefined ? undefined : parseKey(file, text);
}

const keyFileIn = (dataDir: string) => join(dataDir, 'secret.key');

function parseKey(file: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new SecretKeyError(`${file} contains no valid key. Restore the original file: only its key decrypts the data.`);
}

/** If two processes start at once, both use the key that was written first. */
async function createKeyFile(file: string): Promise<string> {
  await writeFileAtomically(file, `${randomBytes(32).toString('base64')}\n`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(file, 'utf8');
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
