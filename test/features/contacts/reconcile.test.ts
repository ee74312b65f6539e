import { expect, test } from 'vitest';
import { type Contact, readContact } from '../../../src/exchange/index.ts';
import { type Change, diffOf, isEmpty } from '../../../src/features/contacts/edit/diff.ts';
import { findOutcome } from '../../../src/features/contacts/edit/reconcile.ts';
import { sameContacts } from '../../../src/features/contacts/list/compare.ts';
import { parsed, type TypedChange } from '../../helpers/contacts.ts';
import { fc, runs } from '../../helpers/properties.ts';

const contactOf = (fields: object) => readContact(JSON.stringify(fields));
const [a, b, c] = ['a', 'b', 'c'].map((name) => contactOf({ email: `${name}@example.org` })) as [
  Contact,
  Contact,
  Contact,
];
const extra = contactOf({ email: 'guest@example.org' });
const named = (contact: Contact, nick: string) => contactOf({ ...JSON.parse(contact.json), nick });
const renamed = contactOf({ email: 'new@example.org' });

test.each<[string, Contact[], Contact[], Contact[], ReturnType<typeof findOutcome>]>([
  ['the intended list', [a, b], [a], [a], { outcome: 'done', missing: [], altered: [] }],
  ['the unchanged list', [a, b], [a], [b, a], { outcome: 'not done', missing: [], altered: [] }],
  ['an addition with an extra contact', [a], [a, b], [extra, b, a], { outcome: 'done', missing: [], altered: [] }],
  [
    'a change with an extra contact',
    [a],
    [named(a, 'A')],
    [named(a, 'A'), extra],
    { outcome: 'done', missing: [], altered: [] },
  ],
  [
    'no change with an extra contact',
    [a],
    [named(a, 'A')],
    [a, extra],
    { outcome: 'not done', missing: [], altered: [] },
  ],
  ['a removal with an extra contact', [a, b], [b], [b, extra], { outcome: 'done', missing: [], altered: [] }],
  ['no removal with an extra contact', [a, b], [b], [a, b, extra], { outcome: 'not done', missing: [], altered: [] }],
  [
    'a new address with an extra contact',
    [a, b],
    [renamed, b],
    [renamed, b, extra],
    { outcome: 'done', missing: [], altered: [] },
  ],
  [
    'no new address with an extra contact',
    [a, b],
    [renamed, b],
    [a, b, extra],
    { outcome: 'not done', missing: [], altered: [] },
  ],
  [
    'neither the old nor the new address',
    [a, b],
    [renamed, b],
    [b, extra],
    { outcome: 'not done', missing: [renamed], altered: [] },
  ],
  ['a lost contact', [a, b, c], [a, b], [a, extra], { outcome: 'done', missing: [b], altered: [] }],
  [
    'a contact changed by another client',
    [a, b],
    [named(a, 'A'), b],
    [named(a, 'A'), named(b, 'B')],
    { outcome: 'done', missing: [], altered: ['b@example.org'] },
  ],
])('findOutcome recognises %s', (_, before, after, now, expected) => {
  expect(findOutcome(before, after, now)).toEqual(expected);
});

const person = fc.record({
  email: fc.option(fc.constantFrom('a@x.org', 'A@x.org', 'b@x.org', 'c@x.org', 'd@x.org'), { nil: undefined }),
  nick: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  id: fc.option(fc.nat(3), { nil: undefined }),
});
const list = fc.array(person.map(contactOf), { maxLength: 7 });

test('adding the missing contacts makes a contact list complete', () => {
  fc.assert(
    fc.property(list, list, list, (before, after, now) => {
      const { missing } = findOutcome(before, after, now);
      for (const contact of missing) {
        expect(after).toContain(contact);
        expect(now.map(({ email }) => email?.toLowerCase() ?? 'none')).not.toContain(contact.email?.toLowerCase());
      }
      expect(findOutcome(before, after, [...now, ...missing]).missing).toEqual([]);
    }),
    runs(500),
  );
});

test('if an edit is done and no contact is missing, the list shows the edit', () => {
  fc.assert(
    fc.property(list, list, list, (before, after, now) => {
      const { outcome, missing } = findOutcome(before, after, now);
      if (outcome !== 'done' || missing.length > 0 || sameContacts(now, after)) return;
      const texts = (contacts: Contact[]) => contacts.map(({ json }) => json);
      const contactTexts = now.map(({ email, nick }) => `${email?.toLowerCase()} ${nick}`);
      const expected = after.filter(({ json }) => !texts(before).includes(json));
      for (const { email, nick } of expected) expect(contactTexts).toContain(`${email?.toLowerCase()} ${nick}`);
      const emails = new Set(after.map(({ email }) => email?.toLowerCase()));
      const gone = before.filter(({ email }) => email !== undefined && !emails.has(email.toLowerCase()));
      for (const { email } of gone) {
        expect(now.map((other) => other.email?.toLowerCase())).not.toContain(email?.toLowerCase());
      }
    }),
    runs(500),
  );
});

const email = fc.constantFrom('a@x.org', 'A@X.org', 'b@x.org', 'new@x.org', 'newer@x.org');
const typedChange: fc.Arbitrary<TypedChange> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), contacts: fc.array(fc.record({ email }), { maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('edit' as const),
    email,
    fields: fc.record({ email, nick: fc.constantFrom('1', '3') }, { requiredKeys: [] }),
  }),
  fc.record({ kind: fc.constant('remove' as const), emails: fc.array(email, { maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('import' as const),
    contacts: fc.array(fc.record({ email, nick: fc.constantFrom('1', '3') }), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('group' as const),
    group: fc.constant('g'),
    join: fc.array(email, { maxLength: 2 }),
    leave: fc.array(email, { maxLength: 2 }),
  }),
);
const change = typedChange.map(parsed);

/** The diff of the change, or undefined if it is refused. */
function tryDiff(local: Contact[], edit: Change) {
  try {
    return diffOf({ local, global: [] }, edit);
  } catch {
    return undefined;
  }
}

test('an edit keeps the other contacts as the same objects in the same order', () => {
  fc.assert(
    fc.property(list, change, (local, edit) => {
      const copy = [...local];
      const diff = tryDiff(local, edit);
      expect(local).toEqual(copy);
      if (diff === undefined) return;
      const { after, added, updated, removed } = diff;
      const replacements = new Set(updated.map(({ to }) => to));
      const untouched = after.filter((contact) => !added.includes(contact) && !replacements.has(contact));
      expect(untouched.every((contact) => local.includes(contact))).toBe(true);
      expect(after.length).toBe(local.length + added.length - removed.length);
      expect(isEmpty(diff)).toBe(sameContacts(after, local));
      const expected = local.filter((contact) => untouched.includes(contact));
      expect(untouched).toEqual(expected);
      if (edit.kind === 'import') expect(removed).toEqual([]);
    }),
    runs(500),
  );
});

test('an applied edit counts as done, an unapplied one as not done', () => {
  fc.assert(
    fc.property(list, change, (local, edit) => {
      const diff = tryDiff(local, edit);
      if (diff === undefined || sameContacts(diff.after, local)) return;
      expect(findOutcome(local, diff.after, diff.after.toReversed())).toMatchObject({ outcome: 'done', missing: [] });
      expect(findOutcome(local, diff.after, local.toReversed())).toMatchObject({ outcome: 'not done', missing: [] });
    }),
    runs(500),
  );
});
