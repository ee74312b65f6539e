import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bounds } from '../../src/lib/bounds.ts';
import { createCipher, DecryptionError, ValueTooLargeError } from '../../src/store/encryption.ts';
import { fc } from '../helpers/properties.ts';

const key = randomBytes(32);

test('any text decrypts only in its own context', () => {
  const cipher = createCipher([key]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, context, other) => {
      const encrypted = cipher.encrypt(context, text);
      expect(cipher.decrypt(context, encrypted)).toBe(text);
      if (other !== context) expect(() => cipher.decrypt(other, encrypted)).toThrow(DecryptionError);
    }),
  );
});

test('an encrypted text altered in any character is rejected', () => {
  const cipher = createCipher([key]);
  const encrypted = cipher.encrypt('row', 'secret');
  for (let at = 0; at < encrypted.length; at += 1) {
    const other = encrypted[at] === 'A' ? 'B' : 'A';
    const altered = encrypted.slice(0, at) + other + encrypted.slice(at + 1);
    expect(() => cipher.decrypt('row', altered), altered).toThrow(DecryptionError);
  }
  for (const cut of ['', 's1', 's1.', encrypted.slice(0, 20), encrypted.slice(0, -1)]) {
    expect(() => cipher.decrypt('row', cut)).toThrow(DecryptionError);
  }
});

test('encrypting a text twice gives different outputs, none of them readable', () => {
  const cipher = createCipher([key]);
  const encrypted = new Set(Array.from({ length: 100 }, () => cipher.encrypt('row', 'a very visible secret')));
  expect(encrypted.size).toBe(100);
  for (const text of encrypted) expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('visible');
});

test('after a key rotation, old texts decrypt only while the old key is listed', () => {
  const old = createCipher([key]);
  const next = randomBytes(32);
  const rotating = createCipher([next, key]);
  const [before, after] = [old.encrypt('row', 'before'), rotating.encrypt('row', 'after')];
  expect([rotating.decrypt('row', before), rotating.decrypt('row', after)]).toEqual(['before', 'after']);
  expect([rotating.isCurrent(before), rotating.isCurrent(after)]).toEqual([false, true]);
  expect(() => createCipher([next]).decrypt('row', before)).toThrow('SECRET_KEY');
  expect(() => old.decrypt('row', after)).toThrow('SECRET_KEY');
});

test('a text over the limit is rejected, and the error contains nothing of its row', () => {
  const cipher = createCipher([key]);
  const tooLarge = 'x'.repeat(bounds.storedBytes + 1);
  const error = failureOf(() => cipher.encrypt('table.column:secret', tooLarge));
  expect(error).toBeInstanceOf(ValueTooLargeError);
  expect(String(error)).not.toContain('secret');
  expect(cipher.encrypt('row', tooLarge, tooLarge.length)).toContain('s1.');
});

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

test("a missing key or one that doesn't have 32 bytes is rejected", () => {
  expect(() => createCipher([randomBytes(16)])).toThrow('32 bytes');
  expect(() => createCipher([])).toThrow('32 bytes');
});
