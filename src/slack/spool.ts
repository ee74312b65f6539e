import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { bounds } from '../lib/bounds.ts';
import { DroplineError } from '../lib/errors.ts';

const chunkBytes = 262_144;

/**
 * Spools a stream to disk until its size is known, then passes it to `work`. The file is unlinked right after it is
 * created, so that nothing remains even if the process dies.
 */
export async function withSpooledFile<T>(
  stream: Readable,
  work: (file: { size: number; open(): Readable }) => Promise<T>,
  { maxBytes = bounds.spooledBytes, folder = tmpdir() }: { maxBytes?: number; folder?: string } = {},
): Promise<T> {
  const path = join(folder, `dropline-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new DroplineError('file-failed', 'The file is too large for Slack.');
      await file.appendFile(chunk);
    }
    return await work({ size, open: () => Readable.from(chunksOf(file), { objectMode: false }) });
  } finally {
    await file.close();
  }
}

/** Doesn't use `createReadStream` of the handle: with `autoClose: false`, the file would never be closed. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
