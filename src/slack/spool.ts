import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DroplineError } from '../errors.ts';

export interface Spooled {
  size: number;
  open(): Readable;
}

/** More than Slack takes of one file. */
const mostBytes = 2_000_000_000;

/**
 * Keeps what comes on disk until its length is known, and gives it to `work`. The file has a name for a moment only:
 * whatever becomes of this process, nothing of it stays.
 */
export async function spooled<T>(
  stream: Readable,
  work: (file: Spooled) => Promise<T>,
  { most = mostBytes, folder = tmpdir() } = {},
): Promise<T> {
  const path = join(folder, `dropline-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let size = 0;
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > most) throw new DroplineError('file-failed', 'The file is too large for Slack.');
          yield chunk;
        }
      },
      file.createWriteStream({ autoClose: false }),
    );
    return await work({ size, open: () => file.createReadStream({ start: 0, autoClose: false }) });
  } finally {
    await file.close();
  }
}
