import { expect, test } from 'vitest';
import { type Contact, makeContact } from '../../../src/exchange/index.ts';
import { groupView } from '../../../src/features/contacts/groups/views.ts';
import { parseContact } from '../../../src/features/contacts/list/fields.ts';

const email = 'carl@example.org';

test.each(['en', 'sv', 'SV', 'gsw', 'pt-BR', 'zh_Hans_CN', ''])('the language “%s” is accepted', (language) => {
  expect(parseContact({ email, language })).toEqual({ email, language });
});

test.each(['e', 'Swedish', 'en us', 'en-', '-en', '12', 'en;sv', 'språk'])(
  'the language “%s” is refused at its field',
  (language) => {
    const refusal = { field: 'language', message: 'Enter a language code, like en or sv.' };
    expect(() => parseContact({ email, language })).toThrow(expect.objectContaining(refusal));
  },
);

const rights = { canAdd: true, canEdit: true };
const shownGroup = (members: Contact[]) =>
  JSON.stringify(groupView({ name: 'board', members, own: new Set(members) }, { page: 0, query: '' }, rights));

test('removing the last member of a group warns that the group is deleted', () => {
  const [carl, dora] = [email, 'dora@example.net'].map((one) => makeContact({ email: one, groups: ['board'] }));
  if (carl === undefined || dora === undefined) throw new Error('no contacts');
  expect(shownGroup([carl])).toContain('Remove the last member?');
  expect(shownGroup([carl])).toContain("won't receive files sent to board. The group is deleted.");
  expect(shownGroup([carl, dora])).not.toContain('The group is deleted.');
});
