import { readConfig } from '../config.ts';
import { createClosers } from '../lib/closers.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from '../services.ts';
import { openStore, type Store } from '../store/index.ts';

/** Re-encrypts all secrets in the database with the first key in SECRET_KEY. */
export function reencrypt(env: NodeJS.ProcessEnv): Promise<void> {
  return withStore(env, async (store) => {
    const { encrypted, undecryptable } = await store.reencrypt();
    process.stdout.write(`Re-encrypted: ${encrypted}\n`);
    if (undecryptable.length === 0) return;
    process.stderr.write(`No key in SECRET_KEY decrypts these; they are unchanged:\n${undecryptable.join('\n')}\n`);
    process.exitCode = 1;
  });
}

/** Runs a command that only needs the database. */
export async function withStore(env: NodeJS.ProcessEnv, work: (store: Store) => Promise<void>): Promise<void> {
  const config = readConfig('all', env, false);
  const log = createLog(config.logLevel);
  const closers = createClosers(log);
  try {
    const database = await openDatabase(config, log, closers.add);
    const store = await openStore({ ...database, log });
    closers.add(store.close);
    await work(store);
  } finally {
    await closers.closeAll();
  }
}
