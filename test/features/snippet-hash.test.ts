import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { expectSameHash } from '../../src/features/transfers/checks.ts';

const file = { id: 'F1', name: 'notes.txt', size: 6, stamp: '1' };

async function read(chunks: readonly string[], reviewed: string) {
  const source = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const sha256 = createHash('sha256').update(reviewed).digest('hex');
  let text = '';
  try {
    for await (const chunk of expectSameHash(source, { ...file, sha256 })) text += String(chunk);
  } catch (error) {
    return { text, error };
  }
  return { text };
}

test('a reader gets all of a reviewed snippet, and never the end of another one', async () => {
  expect(await read(['abc', 'def'], 'abcdef')).toEqual({ text: 'abcdef' });
  expect(await read([], '')).toEqual({ text: '' });
  for (const chunks of [['abc', 'xyz'], ['abcxyz']]) {
    const { text, error } = await read(chunks, 'abcdef');
    expect(error).toMatchObject({ code: 'changed' });
    expect(text).not.toContain('z');
  }
});
