import { expect, test } from 'vitest';
import { type Contact, readContact } from '../../../src/exchange/index.ts';
import { normalizedJson, sameContacts, without } from '../../../src/features/contacts/list/compare.ts';
import { anyCodePoint, fc, runs } from '../../helpers/properties.ts';

/** A JSON value whose numbers are texts, so that all digits are kept. */
type JsonValue = string | boolean | null | { digits: string } | JsonValue[] | { fields: [string, JsonValue][] };

const digits = fc.oneof(
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('0', '-0', '1.0', '1.50', '1E5', '9007199254740993', '9007199254740992', '1e400'),
);
const name = fc.oneof(fc.string(), fc.constantFrom('10', '2', '__proto__', 'number', 'n5', 't', ''));

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: anyCodePoint }),
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
function serialize(json: JsonValue, seed: number): string {
  const space = [' ', '\n\t', '', ''][seed % 4] ?? '';
  const inner = (part: JsonValue) => `${space}${serialize(part, (seed * 7 + 3) % 101)}${space}`;
  if (json === null || typeof json === 'boolean') return String(json);
  if (typeof json === 'string') return jsonString(json, seed);
  if (Array.isArray(json)) return `[${json.map(inner).join(',')}]`;
  if ('digits' in json) return json.digits;
  const fields = seed % 2 === 0 ? json.fields : json.fields.toReversed();
  return `{${fields.map(([key, part]) => `${space}${jsonString(key, seed)}${space}:${inner(part)}`).join(',')}}`;
}

/** The text as a JSON string, either plain or with every character escaped. */
function jsonString(content: string, seed: number): string {
  if (seed % 3 !== 0) return JSON.stringify(content);
  const units = Array.from({ length: content.length }, (_, at) => content.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

const seed = fc.nat(100);
/** Two values have the same canonical form exactly when they are equal. */
const canonicalForm = (json: JsonValue): string => {
  if (json === null || typeof json !== 'object') return `${typeof json} ${JSON.stringify(json)}`;
  if (Array.isArray(json)) return `list ${JSON.stringify(json.map(canonicalForm))}`;
  if ('digits' in json) return `digits ${json.digits}`;
  return `object ${JSON.stringify(json.fields.map(([key, part]) => JSON.stringify([key, canonicalForm(part)])).sort())}`;
};

test('the normalized JSON of a contact ignores field order, whitespace and escapes', () => {
  fc.assert(
    fc.property(object, seed, seed, (contact, one, other) => {
      expect(normalizedJson(serialize(contact, one))).toBe(normalizedJson(serialize(contact, other)));
    }),
  );
});

test('different contacts have different normalized JSON', () => {
  fc.assert(
    fc.property(object, object, seed, (one, other, seedNumber) => {
      const isSame = normalizedJson(serialize(one, seedNumber)) === normalizedJson(serialize(other, seedNumber));
      expect(isSame).toBe(canonicalForm(one) === canonicalForm(other));
    }),
    runs(500),
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
])('the contacts %s and %s have different normalized JSON', (one, other) => {
  expect(normalizedJson(one)).not.toBe(normalizedJson(other));
});

test('a contact with megabytes of text and many escapes can be normalized', () => {
  const long = `{"a":"${'x\\n"\\"'.replace('"', '').repeat(1_500_000)}"}`;
  expect(normalizedJson(long)).toHaveLength(normalizedJson('{"a":""}').length + long.length - '{"a":""}'.length);
});

const anyContact = fc
  .tuple(fc.integer({ min: 0, max: 5 }), object)
  .map(([at, { fields }]) =>
    readContact(serialize({ fields: [['email', `p${at}@example.org`], ...fields.filter(([key]) => key === 'x')] }, at)),
  );
const contacts = fc.array(anyContact, { maxLength: 12 });

test('sameContacts ignores order and notices added, removed or replaced contacts', () => {
  fc.assert(
    fc.property(contacts, anyContact, fc.nat(), (list, more, at) => {
      expect(sameContacts(list, list.toReversed())).toBe(true);
      expect(sameContacts(list, [...list, more])).toBe(false);
      expect(sameContacts([...list, more], list)).toBe(false);
      if (list.length > 0) {
        const index = at % list.length;
        expect(sameContacts(list, list.toSpliced(index, 1, more))).toBe(
          normalizedJson((list[index] as Contact).json) === normalizedJson(more.json),
        );
      }
    }),
  );
});

test('subtracting a list of contacts removes each contact as often as it occurs there', () => {
  fc.assert(
    fc.property(contacts, contacts, (list, others) => {
      const rest = without(list, others);
      expect(rest.every((contact) => list.includes(contact))).toBe(true);
      const count = (all: readonly Contact[], { json }: Contact) =>
        all.filter((other) => normalizedJson(other.json) === normalizedJson(json)).length;
      for (const contact of list) {
        expect(count(rest, contact)).toBe(Math.max(0, count(list, contact) - count(others, contact)));
      }
    }),
  );
});
