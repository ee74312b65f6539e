import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { type Digest, hashed } from '../src/lib/hashed.ts';

/** Reads like a browser: it keeps what has arrived before an error. */
async function read(chunks: readonly string[], onDigest: (digest: Digest) => void | Promise<void>) {
  async function* source() {
    for (const chunk of chunks) {
      if (chunk === 'broken') throw new Error('broken');
      yield Buffer.from(chunk);
      await new Promise(setImmediate);
    }
  }
  let text = '';
  const stream = hashed(Readable.from(source()), onDigest);
  stream.on('data', (chunk: Buffer) => (text += String(chunk)));
  const error = await finished(stream).then(
    () => undefined,
    (failure: Error) => failure.message,
  );
  return { text, error };
}

test.each([[['abc', 'def']], [['abcdef']], [[]]])(
  'a stream of %j passes unchanged with its SHA-256',
  async (chunks) => {
    const digests: Digest[] = [];
    const text = chunks.join('');
    expect(await read(chunks, (digest) => void digests.push(digest))).toEqual({ text, error: undefined });
    expect(digests).toEqual([{ sha256: createHash('sha256').update(text).digest('hex'), size: text.length }]);
  },
);

test('a reader never gets the end of a refused or broken file', async () => {
  const refuse = async () => {
    throw new Error('refused');
  };
  for (const chunks of [['abc', 'xyz'], ['abcxyz']]) {
    const { text, error } = await read(chunks, refuse);
    expect(error).toBe('refused');
    expect(text).not.toContain('z');
  }
  const digests: Digest[] = [];
  const broken = await read(['abc', 'xyz', 'broken'], (digest) => void digests.push(digest));
  expect(broken).toEqual({ text: 'abc', error: 'broken' });
  expect(digests).toEqual([]);
});
