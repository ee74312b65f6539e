import { expect, test } from 'vitest';
import {
  contactFieldNames,
  contactView,
  historyEntryReader,
  historyEntryView,
  plainContact,
} from '../../src/exchange/entries.ts';
import { anyText, fc, inherited, runs } from '../helpers/properties.ts';

const field = fc.oneof(anyText, fc.constantFrom(null, undefined), fc.jsonValue({ maxDepth: 2 }));
const groups = fc.oneof(fc.array(anyText), fc.array(fc.oneof(anyText, fc.jsonValue({ maxDepth: 1 }))), field);
const name = fc.oneof(fc.constantFrom(...contactFieldNames), inherited, fc.string());

/** Contacts as `JSON.parse` returns them, in which `__proto__` is an ordinary field. */
const contact = fc
  .tuple(fc.array(fc.tuple(name, field)), fc.option(groups, { nil: undefined }))
  .map(([fields, groupNames]) => {
    const all = groupNames === undefined ? fields : [...fields, ['groups', groupNames] as const];
    return JSON.parse(`{${all.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`)}}`);
  });

test('a contact read without the schema equals the contact read with it', () => {
  fc.assert(
    fc.property(fc.oneof(contact, fc.jsonValue()), (value) => {
      const read = plainContact(value);
      if (read !== undefined) expect(read).toStrictEqual(contactView.parse(value));
    }),
    runs(2_000),
  );
});

test('only contacts with fields of unusual types are read with the schema', () => {
  const text = fc.option(anyText);
  const documented = fc.record(
    {
      email: text,
      number: text,
      language: text,
      nick: text,
      groups: fc.option(fc.array(anyText)),
      other: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(documented, (value) => plainContact(value) !== undefined),
    runs(500),
  );
  expect(plainContact({ email: 'a@example.org', number: 46_701 })).toBeUndefined();
  expect(plainContact({ email: 'a@example.org', groups: ['a', 1] })).toBeUndefined();
  expect(plainContact([])).toBeUndefined();
});

const person = fc.dictionary(fc.constantFrom('email', 'number', 'nick', 'name', 'other'), field);
const people = fc.oneof(fc.array(person), fc.array(fc.jsonValue({ maxDepth: 1 })), field);
const time = fc.oneof(fc.nat().map(String), fc.constantFrom('', ' 1', '1e3', '9'.repeat(12), '9'.repeat(13)), field);
const historyEntry = fc.record(
  { drop_type: field, create_time: time, ttl: field, receivers: people, ddmessage: field, files: people },
  { requiredKeys: [] },
);

test('a history entry read without the schema equals the entry read with it', () => {
  fc.assert(
    fc.property(fc.oneof(historyEntry, fc.jsonValue()), (value) => {
      const [read, expected] = [historyEntryReader, historyEntryView].map((reader) => reader.safeParse(value));
      expect(read?.data).toEqual(expected?.data);
    }),
    runs(2_000),
  );
});
