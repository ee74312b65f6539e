import { expect, test } from 'vitest';
import { type Contact, readContact } from '../../../src/exchange/index.ts';
import { sameContacts, spellingOf, without } from '../../../src/features/contacts/list/same.ts';
import { fc } from '../../helpers/properties.ts';

/** JSON whose numbers keep the digits they were written in. */
type Written = string | boolean | null | { digits: string } | Written[] | { fields: [string, Written][] };

const digits = fc.oneof(
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('0', '-0', '1.0', '1.50', '1E5', '9007199254740993', '9007199254740992', '1e400'),
);
const name = fc.oneof(fc.string(), fc.constantFrom('10', '2', '__proto__', 'number', 'n5', 't', ''));

const { value } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    digits.map((text) => ({ digits: text })),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(name, tie('value')), { selector: ([key]) => key, maxLength: 4 })
      .map((fields) => ({ fields })),
  ),
}));
const object = fc
  .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 5 })
  .map((fields) => ({ fields }));

/** Serializes with whitespace and a field order chosen by the seed. */
function write(written: Written, seed: number): string {
  const space = [' ', '\n\t', '', ''][seed % 4] ?? '';
  const inner = (part: Written) => `${space}${write(part, (seed * 7 + 3) % 101)}${space}`;
  if (written === null || typeof written === 'boolean') return String(written);
  if (typeof written === 'string') return text(written, seed);
  if (Array.isArray(written)) return `[${written.map(inner).join(',')}]`;
  if ('digits' in written) return written.digits;
  const turned = seed % 2 === 0 ? written.fields : written.fields.toReversed();
  return `{${turned.map(([key, part]) => `${space}${text(key, seed)}${space}:${inner(part)}`).join(',')}}`;
}

/** The text as a JSON string, either plain or with every character escaped. */
function text(of: string, seed: number): string {
  if (seed % 3 !== 0) return JSON.stringify(of);
  const units = Array.from({ length: of.length }, (_, at) => of.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

const seed = fc.nat(100);
/** Canonical form: equal only for equal values. */
const meaning = (written: Written): string => {
  if (written === null || typeof written !== 'object') return `${typeof written} ${JSON.stringify(written)}`;
  if (Array.isArray(written)) return `list ${JSON.stringify(written.map(meaning))}`;
  if ('digits' in written) return `digits ${written.digits}`;
  return `object ${JSON.stringify(written.fields.map(([key, part]) => JSON.stringify([key, meaning(part)])).sort())}`;
};

test("a contact's spelling ignores field order, whitespace and escapes", () => {
  fc.assert(
    fc.property(object, seed, seed, (contact, one, other) => {
      expect(spellingOf(write(contact, one))).toBe(spellingOf(write(contact, other)));
    }),
  );
});

test('different contacts have different spellings', () => {
  fc.assert(
    fc.property(object, object, seed, (one, other, how) => {
      const isSame = spellingOf(write(one, how)) === spellingOf(write(other, how));
      expect(isSame).toBe(meaning(one) === meaning(other));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['{"id":9007199254740993}', '{"id":9007199254740992}'],
  ['{"id":1.0}', '{"id":1}'],
  ['{"id":5}', '{"id":"5"}'],
  ['{"id":5}', '{"id":{"number":"5"}}'],
  ['{"id":5}', '{"id":"n5"}'],
  ['{"a":{"b":"c"}}', '{"a":[["b","c"]]}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":null}', '{}'],
  ['{"a":true}', '{"a":"true"}'],
])('%s differs from %s', (one, other) => {
  expect(spellingOf(one)).not.toBe(spellingOf(other));
});

test('megabytes of text with many escapes are handled', () => {
  const long = `{"a":"${'x\\n"\\"'.replace('"', '').repeat(1_500_000)}"}`;
  expect(spellingOf(long)).toHaveLength(spellingOf('{"a":""}').length + long.length - '{"a":""}'.length);
});

const emailed = fc
  .tuple(fc.integer({ min: 0, max: 5 }), object)
  .map(([at, { fields }]) =>
    readContact(write({ fields: [['email', `p${at}@example.org`], ...fields.filter(([key]) => key === 'x')] }, at)),
  );
const contacts = fc.array(emailed, { maxLength: 12 });

test('list equality ignores order and notices added, removed or replaced contacts', () => {
  fc.assert(
    fc.property(contacts, emailed, fc.nat(), (list, more, at) => {
      expect(sameContacts(list, list.toReversed())).toBe(true);
      expect(sameContacts(list, [...list, more])).toBe(false);
      expect(sameContacts([...list, more], list)).toBe(false);
      if (list.length > 0) {
        const index = at % list.length;
        expect(sameContacts(list, list.toSpliced(index, 1, more))).toBe(
          spellingOf((list[index] as Contact).json) === spellingOf(more.json),
        );
      }
    }),
  );
});

test('subtracting contacts respects how often each one occurs', () => {
  fc.assert(
    fc.property(contacts, contacts, (list, others) => {
      const left = without(list, others);
      expect(left.every((contact) => list.includes(contact))).toBe(true);
      const count = (texts: readonly Contact[], { json }: Contact) =>
        texts.filter((other) => spellingOf(other.json) === spellingOf(json)).length;
      for (const contact of list) {
        expect(count(left, contact)).toBe(Math.max(0, count(list, contact) - count(others, contact)));
      }
    }),
  );
});
