import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { extensionsOf, isKnown, kindOf, readStart } from '../../src/scan/index.ts';
import { officeFiles, readAll, streamOf, zipOf } from './helper.ts';

const programStart = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), Buffer.alloc(200)]);

test.each([
  ['exe', programStart],
  ['pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n')],
  ['zip', zipOf({ 'a.txt': 'A' })],
  ['docx', officeFiles.docx],
  ['docx', officeFiles.docxByLibreOffice],
  ['xlsx', officeFiles.xlsx],
  ['odt', officeFiles.odt],
  ['jar', officeFiles.jar],
  ['iso', Buffer.concat([Buffer.alloc(0x8001), Buffer.from('CD001'), Buffer.alloc(2_000)])],
  ['elf', Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(100)])],
  ['text', Buffer.from('just text, with no signature')],
  ['text', Buffer.from('\ufeffUTF-16 text', 'utf16le')],
  ['text', Buffer.alloc(0)],
  ['binary', Buffer.concat([Buffer.from('x'), zipOf({ 'a.txt': 'A' })])],
])('the kind of a file is detected from its first bytes (%s)', async (kind, start) => {
  expect(await kindOf(start)).toBe(kind);
});

test('the signature of an ISO image inside a program does not hide the program', async () => {
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(0x8100)]);
  program.write('CD001', 0x8001);
  expect(await kindOf(program)).toBe('exe');
});

test('reading the start of a stream loses no byte', async () => {
  for (const chunks of [['a', 'b'], [], [randomBytes(40_000), randomBytes(100_000)], [randomBytes(40_000)]]) {
    const whole = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
    const { start, stream } = await readStart(streamOf(...chunks));
    expect(whole.subarray(0, start.length).equals(start)).toBe(true);
    expect((await readAll(stream)).equals(whole)).toBe(true);
  }
});

test('a kind includes the extensions that its content can have', () => {
  expect(extensionsOf('zip')).toEqual(expect.arrayContaining(['zip', 'kmz']));
  expect(extensionsOf('zip')).not.toContain('docx');
  expect(extensionsOf('docx')).not.toContain('zip');
  expect(extensionsOf('cfb')).toEqual(expect.arrayContaining(['doc', 'xlsx']));
  expect(extensionsOf('exe')).toContain('dll');
  expect(extensionsOf('exe')).not.toContain('pdf');
  expect(extensionsOf('text')).toEqual(expect.arrayContaining(['csv', 'html', 'bat']));
});

test('it is known how files with common extensions begin', async () => {
  for (const extension of ['pdf', 'docx', 'jpeg', 'xls', 'zip', 'csv']) expect(await isKnown(extension)).toBe(true);
  for (const extension of ['', 'dat', 'xyz', 'xlsx_']) expect(await isKnown(extension)).toBe(false);
});
