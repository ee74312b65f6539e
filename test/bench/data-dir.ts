import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the work with a temporary DATA_DIR. If this runs as root, Postgres runs under another account, which must be
 * able to enter the folder.
 */
export async function withDataDir<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-bench-'));
  await chmod(folder, 0o711);
  try {
    return await work(join(folder, 'data'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
