import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault, SealBrokenError } from '../../src/store/sealing.ts';
import { fc } from '../helpers/properties.ts';

const key = randomBytes(32);

test('any text decrypts in its context and in no other', () => {
  const vault = createVault([key]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, context, other) => {
      const sealed = vault.seal(context, text);
      expect(vault.open(context, sealed)).toBe(text);
      if (other !== context) expect(() => vault.open(other, sealed)).toThrow(SealBrokenError);
    }),
  );
});

test('an encrypted text altered in any character is rejected', () => {
  const vault = createVault([key]);
  const sealed = vault.seal('row', 'secret');
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
    expect(() => vault.open('row', altered), altered).toThrow(SealBrokenError);
  }
  for (const cut of ['', 's1', 's1.', sealed.slice(0, 20), sealed.slice(0, -1)]) {
    expect(() => vault.open('row', cut)).toThrow(SealBrokenError);
  }
});

test('a text never encrypts to the same output twice, nor to readable output', () => {
  const vault = createVault([key]);
  const sealed = new Set(Array.from({ length: 100 }, () => vault.seal('row', 'a very visible secret')));
  expect(sealed.size).toBe(100);
  for (const text of sealed) expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('visible');
});

test('after a rotation, old texts decrypt only while the old key is there', () => {
  const old = createVault([key]);
  const next = randomBytes(32);
  const both = createVault([next, key]);
  const [before, after] = [old.seal('row', 'before'), both.seal('row', 'after')];
  expect([both.open('row', before), both.open('row', after)]).toEqual(['before', 'after']);
  expect([both.isCurrent(before), both.isCurrent(after)]).toEqual([false, true]);
  expect(() => createVault([next]).open('row', before)).toThrow('SECRET_KEY');
  expect(() => old.open('row', after)).toThrow('SECRET_KEY');
});

test('keys of another length are rejected', () => {
  expect(() => createVault([randomBytes(16)])).toThrow('32 bytes');
  expect(() => createVault([])).toThrow('32 bytes');
});
