import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { expectSameHash } from '../../src/features/transfers/checks.ts';

const file = { id: 'F1', name: 'notes.txt', size: 6, stamp: '1' };

/** Reads like a browser: it keeps what has arrived before an error. */
async function read(chunks: readonly string[], reviewed: string) {
  async function* source() {
    for (const chunk of chunks) {
      yield Buffer.from(chunk);
      await new Promise(setImmediate);
    }
  }
  const sha256 = createHash('sha256').update(reviewed).digest('hex');
  let text = '';
  const stream = expectSameHash(Readable.from(source()), { ...file, sha256 });
  stream.on('data', (chunk: Buffer) => (text += String(chunk)));
  const error = await finished(stream).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { text, error };
}

test('a reader gets all of a reviewed snippet, and never the end of another one', async () => {
  expect(await read(['abc', 'def'], 'abcdef')).toEqual({ text: 'abcdef', error: undefined });
  expect(await read([], '')).toEqual({ text: '', error: undefined });
  for (const chunks of [['abc', 'xyz'], ['abcxyz']]) {
    const { text, error } = await read(chunks, 'abcdef');
    expect(error).toMatchObject({ code: 'changed' });
    expect(text).not.toContain('z');
  }
});
