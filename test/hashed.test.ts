import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Digest, digestOf, hashed } from '../src/lib/hashed.ts';
import { createRandom } from './helpers/seeded.ts';

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

test.each([262_143, 262_144, 262_145, 1_048_576, 3_000_001])(
  'a file of %i bytes gets its SHA-256 in a thread',
  async (size) => {
    const data = createRandom(size).bytes(size);
    const cut = (from: number) => data.subarray(from, from + 65_536 - (from % 7));
    function* source() {
      for (let from = 0; from < size; from += cut(from).length) yield cut(from);
    }
    const sha256 = createHash('sha256').update(data).digest('hex');
    // Several at a time share the thread.
    const all = await Promise.all([1, 2, 3].map(() => digestOf(Readable.from(source()))));
    expect(all).toEqual([1, 2, 3].map(() => ({ sha256, size })));
  },
);

test('a reader that stops early leaves nothing behind, and others get their hashes', async () => {
  const data = createRandom(1).bytes(2_000_000);
  const chunks = Array.from({ length: 40 }, (_, index) => data.subarray(index * 50_000, (index + 1) * 50_000));
  const digests: Digest[] = [];
  const stopped = hashed(Readable.from(chunks), (digest) => void digests.push(digest));
  for await (const _ of stopped) break;
  expect(stopped.destroyed).toBe(true);
  const sha256 = createHash('sha256').update(data).digest('hex');
  expect(await digestOf(Readable.from(chunks))).toEqual({ sha256, size: data.length });
  expect(digests).toEqual([]);
});

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

test('if the thread that hashes ends, its streams fail, and the next one gets its hash', async () => {
  const data = createRandom(7).bytes(600_000);
  const chunks = [data.toString('latin1')];
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => post.mockRestore());
  post.mockImplementationOnce(function (this: Worker, message) {
    post.mockRestore();
    // More than the block has: the thread throws.
    this.postMessage({ ...message, length: 2 ** 31 });
  });
  const digests: Digest[] = [];
  expect((await read(chunks, (digest) => void digests.push(digest))).error).toContain('Invalid typed array length');
  expect(digests).toEqual([]);
  expect((await read(chunks, (digest) => void digests.push(digest))).error).toBeUndefined();
  expect(digests).toEqual([
    {
      sha256: createHash('sha256')
        .update(chunks[0] ?? '')
        .digest('hex'),
      size: Buffer.byteLength(chunks[0] ?? ''),
    },
  ]);
});
