import { copyFile, open, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What Postgres says goes straight into a file. Its own log collector would rotate better, but is a process that
 * outlives the server for a moment, and stays as a zombie where nobody reaps strangers: in a container, that is us.
 */
export const serverLogOf = (root: string) => join(root, 'postgres.log');

/** Starts and errors are all that is written, so this is a lot; one older file is kept. */
const maxBytes = 4 * 1024 * 1024;

export interface ServerLog {
  fd: number;
  /** What was written since it was opened. */
  newWords(): Promise<string>;
  close(): Promise<void>;
}

export async function openServerLog(root: string): Promise<ServerLog> {
  const path = serverLogOf(root);
  if ((await sizeOf(path)) > maxBytes) await rename(path, `${path}.1`);
  // Appending, so that several writers, and one that has been cut under them, do no harm.
  const handle = await open(path, 'a+', 0o600);
  const { size } = await handle.stat();
  return {
    fd: handle.fd,
    async newWords() {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16_384), 0, 16_384, size);
      return buffer.toString('utf8', 0, bytesRead);
    },
    close: () => handle.close(),
  };
}

/** The running server keeps the file open, so that it can only be copied and emptied. */
export async function boundServerLog(root: string): Promise<void> {
  const path = serverLogOf(root);
  if ((await sizeOf(path)) <= maxBytes) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
