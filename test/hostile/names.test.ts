import { expect, test } from 'vitest';
import { safeName, uniqueNames } from '../../src/features/common/names.ts';
import { anyCodePoint, fc, runs } from '../helpers/properties.ts';

const hostileParts = [
  '/',
  '\\',
  '..',
  '.',
  ' ',
  '\0',
  '\r\n',
  '\u202e',
  '\u061c',
  '\u200f',
  '\ud800',
  '"',
  '<',
  ';',
  '%2f',
];
const part = fc.oneof(
  fc.constantFrom(...hostileParts),
  fc.string({ unit: anyCodePoint, maxLength: 8 }),
  fc.constantFrom('e\u200e\u0301', 'å', 'a\u030a', '漢', '😀', '.pdf', '.tar.gz', ' (2)'),
  // Long enough to be cut, with the cut in many positions.
  fc.tuple(fc.constantFrom('x', 'å', '漢', '😀', '. ', 'x.'), fc.nat(260)).map(([text, times]) => text.repeat(times)),
);
const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));

const expectSafe = (text: string) => {
  expect(text).not.toMatch(/[/\\\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}<>:"|?*]/u);
  expect(text).not.toMatch(/^[\s.]|[\s.]$/);
  expect(text).not.toBe('');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(255);
};

test('every file name becomes a safe name, and a safe name stays unchanged', () => {
  fc.assert(
    fc.property(name, (text) => {
      const safe = safeName(text);
      expectSafe(safe);
      expect(safeName(safe)).toBe(safe);
    }),
    runs(2_000),
  );
});

// An earlier regular expression took 16 seconds for this name.
test('a name with 80,000 spaces is made safe quickly', { timeout: 5_000 }, () => {
  const safe = safeName(`a${' '.repeat(80_000)}b.pdf`);
  expectSafe(safe);
  expect(safe).toBe('a.pdf');
});

test('names that differ only in invisible characters get visibly different names', () => {
  const invisible = ['\u200b', '\u00ad', '\u2060', '\u200d', '\u3164'].map((character) => `pl${character}an.pdf`);
  const unique = uniqueNames(['plan.pdf', ...invisible]);
  const visible = unique.map((one) => one.replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
  expect(new Set(visible).size).toBe(unique.length);
});

test.each(['CON', 'nul.txt', 'Com1.tar.gz', 'LPT¹', 'aux .pdf', `CON${' '.repeat(300)}x`])(
  'the Windows device name %s gets a prefix',
  (device) => {
    const safe = safeName(device);
    expectSafe(safe);
    expect(safe).toMatch(/^_/);
  },
);

test('emoji and names that only start like a Windows device name stay unchanged', () => {
  for (const plain of ['👩‍👩‍👧‍👦.png', '❤️.png', 'contract.pdf', 'null.txt', 'com10.txt'])
    expect(safeName(plain)).toBe(plain);
});

test("a file name shortened at a dot doesn't end with the dot", () => {
  const cut = safeName(`${'x'.repeat(254)}.${'y'.repeat(40)}`);
  expectSafe(cut);
  expect(safeName(cut)).toBe(cut);
});

test('any file names become safe and unique within a transfer', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(name, fc.constantFrom('a.pdf', 'A.PDF', 'a (2).pdf')), { maxLength: 8 }), (names) => {
      const unique = uniqueNames(names);
      expect(unique).toHaveLength(names.length);
      expect(new Set(unique.map((one) => one.toLowerCase())).size).toBe(names.length);
      for (const one of unique) expectSafe(one);
      expect(uniqueNames(unique)).toEqual(unique);
    }),
    runs(500),
  );
});
