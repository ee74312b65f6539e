import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer, placeIn, sealedColumns } from '../../src/store/sealed-columns.ts';
import { placeOf } from '../../src/store/sealed-keyv.ts';
import { createVault, SealBrokenError } from '../../src/store/sealing.ts';
import { fc } from '../helpers/properties.ts';

const vault = createVault([randomBytes(32)]);
const columns = sealedColumns.map(({ table, column }) => ({ table, column }));
const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed());

test('a value decrypts in its own row and column and in no other', () => {
  const row = fc.oneof(
    fc.uuid(),
    fc.nat().map(String),
    fc.tuple(text, text).map((parts) => JSON.stringify(parts)),
  );
  fc.assert(
    fc.property(fc.jsonValue(), row, row, fc.constantFrom(...columns), (value, id, otherId, at) => {
      const sealed = createSealer(vault, at.table, at.column).seal(id, value);
      expect(createSealer(vault, at.table, at.column).open(id, sealed)).toEqual(JSON.parse(JSON.stringify(value)));
      for (const { table, column } of columns) {
        const isElsewhere = table !== at.table || column !== at.column;
        if (isElsewhere) expect(() => createSealer(vault, table, column).open(id, sealed)).toThrow(SealBrokenError);
      }
      if (otherId !== id)
        expect(() => createSealer(vault, at.table, at.column).open(otherId, sealed)).toThrow(SealBrokenError);
    }),
    { numRuns: 200 },
  );
});

test('no stored key shares its encryption context with a column or another key', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom(...columns), (key, other, { table, column }) => {
      if (table !== 'keyv') expect(placeOf(key)).not.toBe(placeIn(table, column, other));
      expect(placeOf(key) === placeOf(other)).toBe(key === other);
    }),
    { numRuns: 200 },
  );
});

test('a ciphertext with a flipped bit, cut short or extended is refused', () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.integer({ min: 0, max: 7 }),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      (value, at, bit, more) => {
        const sealed = vault.seal('place', value);
        const [mark, key, body = ''] = sealed.split('.');
        const bytes = Buffer.from(body, 'base64url');
        const written = (changed: Buffer) => `${mark}.${key}.${changed.toString('base64url')}`;
        const turned = Buffer.from(bytes);
        turned[at % bytes.length] = (turned[at % bytes.length] ?? 0) ^ (1 << bit);
        for (const changed of [turned, bytes.subarray(0, at % bytes.length), Buffer.concat([bytes, more])]) {
          expect(() => vault.open('place', written(changed))).toThrow(SealBrokenError);
        }
        expect(() => vault.open('place', `${sealed}.`)).not.toThrow(TypeError);
      },
    ),
    { numRuns: 300 },
  );
});

test('anything that is not a ciphertext is refused', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((body) => `s1.${body}`),
        text.map((body) => `${vault.seal('', '').slice(0, 12)}${body}`),
      ),
      (forged) => {
        expect(() => vault.open('place', forged)).toThrow(SealBrokenError);
      },
    ),
    { numRuns: 300 },
  );
});
