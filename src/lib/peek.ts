import { Readable } from 'node:stream';

/** Reads the first chunks of a stream: at least `bytes`, unless it ends before. The returned stream has all bytes. */
export async function peek(stream: Readable, bytes: number): Promise<{ start: Buffer; stream: Readable }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  const start = Buffer.concat(chunks);
  if (stream.readableEnded) return { start, stream: Readable.from([start], { objectMode: false }) };
  stream.unshift(start);
  return { start, stream };
}
