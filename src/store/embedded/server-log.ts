import { copyFile, open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Postgres writes its log directly to a file. Its own log collector would rotate better, but it outlives the server for
 * a moment. In a container, the bot can become its parent and doesn't reap it, so it would stay as a zombie.
 */
export const serverLogOf = (root: string) => join(root, 'postgres.log');

/** Only starts and errors are logged, so this is enough. One older file is kept. */
const maxBytes = 4 * 1024 * 1024;

export async function openServerLog(root: string) {
  await rotateServerLog(root);
  // Append mode, so that concurrent writers and truncation are safe.
  const handle = await open(serverLogOf(root), 'a+', 0o600);
  const { size } = await handle.stat();
  return {
    fd: handle.fd,
    /** Reads the output since the log was opened, at most 16 KB. */
    async readNewOutput(): Promise<string> {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16_384), 0, 16_384, size);
      return buffer.toString('utf8', 0, bytesRead);
    },
    close: () => handle.close(),
  };
}

/** The running server keeps the file open, so it can only be copied and truncated. */
export async function rotateServerLog(root: string): Promise<void> {
  const path = serverLogOf(root);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size <= maxBytes) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
