import type { Readable } from 'node:stream';
import { DroplineError } from './errors.ts';

/** Rejects if the source has more or fewer bytes than `size`. */
export async function* exactBytes(size: number, source: Readable): AsyncGenerator<Buffer> {
  const wrongSize = (received: string) =>
    new DroplineError('file-failed', `The file had ${received} instead of ${size} bytes, so it wasn't delivered.`);
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > size) throw wrongSize('more');
    yield chunk;
  }
  if (bytes < size) throw wrongSize(String(bytes));
}
