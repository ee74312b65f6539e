import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { contextIn, createColumnCipher, encryptedColumns } from '../../src/store/encrypted-columns.ts';
import { contextOf } from '../../src/store/encrypted-keyv.ts';
import { createCipher, DecryptionError } from '../../src/store/encryption.ts';
import { anyCodePoint, fc, runs } from '../helpers/properties.ts';

const cipher = createCipher([randomBytes(32)]);
const columns = encryptedColumns.map(({ table, column }) => ({ table, column }));
const text = fc.string({ unit: anyCodePoint }).map((value) => value.toWellFormed());

test('a value decrypts only in its own row and column', () => {
  const row = fc.oneof(
    fc.uuid(),
    fc.nat().map(String),
    fc.tuple(text, text).map((parts) => JSON.stringify(parts)),
  );
  fc.assert(
    fc.property(fc.jsonValue(), row, row, fc.constantFrom(...columns), (value, id, otherId, at) => {
      const encrypted = createColumnCipher(cipher, at.table, at.column).encrypt(id, value);
      expect(createColumnCipher(cipher, at.table, at.column).decrypt(id, encrypted)).toEqual(
        JSON.parse(JSON.stringify(value)),
      );
      for (const { table, column } of columns) {
        const isOtherColumn = table !== at.table || column !== at.column;
        if (isOtherColumn)
          expect(() => createColumnCipher(cipher, table, column).decrypt(id, encrypted)).toThrow(DecryptionError);
      }
      if (otherId !== id)
        expect(() => createColumnCipher(cipher, at.table, at.column).decrypt(otherId, encrypted)).toThrow(
          DecryptionError,
        );
    }),
    runs(200),
  );
});

test('no stored key shares its encryption context with another key or another table', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom(...columns), (key, other, { table, column }) => {
      if (table !== 'keyv') expect(contextOf(key)).not.toBe(contextIn(table, column, other));
      expect(contextOf(key) === contextOf(other)).toBe(key === other);
    }),
    runs(200),
  );
});

test('a ciphertext with a flipped bit, missing bytes or extra bytes is refused', () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.integer({ min: 0, max: 7 }),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      (value, at, bit, more) => {
        const encrypted = cipher.encrypt('context', value);
        const [version, key, body = ''] = encrypted.split('.');
        const bytes = Buffer.from(body, 'base64url');
        const encode = (changed: Buffer) => `${version}.${key}.${changed.toString('base64url')}`;
        const flipped = Buffer.from(bytes);
        flipped[at % bytes.length] = (flipped[at % bytes.length] ?? 0) ^ (1 << bit);
        for (const changed of [flipped, bytes.subarray(0, at % bytes.length), Buffer.concat([bytes, more])]) {
          expect(() => cipher.decrypt('context', encode(changed))).toThrow(DecryptionError);
        }
        expect(() => cipher.decrypt('context', `${encrypted}.`)).not.toThrow(TypeError);
      },
    ),
    runs(300),
  );
});

test("text that isn't a ciphertext is refused", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((body) => `s1.${body}`),
        text.map((body) => `${cipher.encrypt('', '').slice(0, 12)}${body}`),
      ),
      (forged) => {
        expect(() => cipher.decrypt('context', forged)).toThrow(DecryptionError);
      },
    ),
    runs(300),
  );
});
