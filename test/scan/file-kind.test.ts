import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { extensionsOf, kindOf, readStart } from '../../src/scan/index.ts';
import { readAll, streamOf } from './helper.ts';

const programStart = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), Buffer.alloc(200)]);

test.each([
  ['exe', programStart],
  ['pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n')],
  ['zip', Buffer.from('504b0304140000000800', 'hex')],
  ['elf', Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(100)])],
  [undefined, Buffer.from('just text, with no signature')],
  [undefined, Buffer.alloc(0)],
])('the kind of a file is detected from its first bytes (%s)', async (kind, start) => {
  expect(await kindOf(start)).toBe(kind);
});

test('reading the start of a stream loses no byte', async () => {
  for (const chunks of [['a', 'b'], [], [randomBytes(5_000), randomBytes(100_000)], [randomBytes(4_100)]]) {
    const whole = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
    const { start, stream } = await readStart(streamOf(...chunks));
    expect(whole.subarray(0, start.length).equals(start)).toBe(true);
    expect((await readAll(stream)).equals(whole)).toBe(true);
  }
});

test("zip content can have the extension docx, but docx content can't have zip", () => {
  expect(extensionsOf('zip')).toEqual(expect.arrayContaining(['zip', 'docx', 'epub']));
  expect(extensionsOf('docx')).toEqual(['docx']);
  expect(extensionsOf('exe')).toContain('dll');
  expect(extensionsOf('exe')).not.toContain('pdf');
});
