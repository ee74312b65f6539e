import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file `postmaster.pid`, which Postgres keeps in its data folder while it runs. A killed Postgres leaves it behind.
 */
export interface LockFile {
  pid: number;
  port: number;
  socketFolder: string;
  ready: boolean;
}

export async function readLockFile(cluster: string): Promise<LockFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // pid, data folder, start time, port, socket folder, TCP address, shared memory, status
  const [pid, , , port, socketFolder, , , status] = text.split('\n').map((line) => line.trim());
  if (pid === undefined || !/^\d+$/.test(pid)) return undefined;
  return { pid: Number(pid), port: Number(port), socketFolder: socketFolder ?? '', ready: status === 'ready' };
}
