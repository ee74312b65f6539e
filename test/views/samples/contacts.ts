import { type Contact, makeContact } from '../../../src/exchange/index.ts';
import { addView, editView, typedOf } from '../../../src/features/contacts/edit/form.ts';
import {
  offerBlocks,
  outcomeText,
  outcomeView,
  removeView,
  savingView,
} from '../../../src/features/contacts/edit/views.ts';
import { groupsView, groupView, newGroupView } from '../../../src/features/contacts/groups/views.ts';
import { importView, previewView } from '../../../src/features/contacts/import/views.ts';
import { typedContact } from '../../../src/features/contacts/list/fields.ts';
import { presetOptions } from '../../../src/features/contacts/list/suggest.ts';
import { listView } from '../../../src/features/contacts/views.ts';
import { line } from '../../../src/slack/blocks.ts';
import { escapeMrkdwn } from '../../../src/slack/words.ts';
import { everydayContacts } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const hostile = hostileList.map((text, number) =>
  makeContact({ email: hostileEmails[number] ?? text, number: text, language: text, nick: text, groups: hostileList }),
);
const many = Array.from({ length: 3_000 }, (_, number) =>
  makeContact({ email: `p${number}@example.org`, groups: [`group ${number % 400}`] }),
);
const [worst = makeContact({ email: 'a@b.c' })] = hostile;
const [ada = worst] = everydayContacts;
const lists = { local: hostile, global: hostile };
const position = { query: '', page: 0 };
const permissions = { canAdd: true, canEdit: true };
const readOnly = { canAdd: false, canEdit: false };
const { options } = presetOptions(lists, { recipients: [], groups: hostileList });
const form = { typed: typedOf(worst), groupOptions: options, position: { ...position, contact: 'x'.repeat(22) } };
const failed = { state: 'failed', code: 'only-adds', message: hostileTexts.huge ?? '', names: hostileList } as const;
const done = { state: 'done', added: 1, updated: 2_000, removed: 3, restored: hostileEmails } as const;
const group = (members: Contact[]) => ({ name: hostileTexts.huge ?? '', members, own: new Set(members) });
const preview = {
  contacts: [],
  added: many,
  updated: hostile.flatMap((from) => [
    { from, to: ada },
    { from: ada, to: from },
    { from, to: from },
  ]),
  unchanged: 12,
  skipped: [...hostileEmails, ...hostileList],
  leftOut: 3,
  problems: hostileList.flatMap((message, line) => [
    { line, message },
    { line, message },
  ]),
  ignoredColumns: [...hostileList, ...hostileList],
};
const outcome = { ...done, restored: [...done.restored] };

const everydayLists = { local: everydayContacts.slice(0, 2), global: everydayContacts.slice(2) };
const everydayForm = { typed: typedOf(ada), groupOptions: [], position: { ...position, contact: 'x'.repeat(22) } };

export const samples: Samples = {
  'everyday contacts': listView(everydayLists, position, permissions),
  'everyday search': listView(everydayLists, { query: 'ada', page: 0 }, permissions),
  'a search without results': listView(everydayLists, { query: 'zzz', page: 0 }, permissions),
  'the form of a contact': editView(ada, everydayForm),
  'removing a contact': removeView(ada, position),
  'everyday groups': groupsView(everydayLists, position, permissions),
  'an everyday group': groupView(
    { name: 'lawyers', members: everydayLists.local, own: new Set(everydayLists.local) },
    position,
    permissions,
  ),
  'an everyday import': previewView(
    'contacts.csv',
    {
      ...preview,
      added: everydayContacts.slice(1),
      updated: [{ from: ada, to: { ...ada, number: '46709999999', nick: 'Ada King' } }],
      unchanged: 3,
      skipped: ['ada@partner.example'],
      leftOut: 0,
      problems: [{ line: 4, message: '“0701234567”: Start with the country code, like 46.' }],
      ignoredColumns: ['Shoe size'],
    },
    { ...position, import: 'x'.repeat(36) },
  ),
  added: outcomeView({ state: 'done', added: 1, updated: 0, removed: 0, restored: [] }, {}, '{}'),
  'not added': outcomeView(
    { state: 'failed', code: 'exists', message: 'ada@partner.example is already a contact.', names: [] },
    { reopen: 'x'.repeat(36) },
    '{}',
  ),
  'no contacts': listView({ local: [], global: [] }, position, permissions),
  'hostile contacts': listView(lists, position, permissions),
  'hostile search results, second page': listView(lists, { query: 'x', page: 1 }, permissions),
  'many contacts, a missing page': listView({ local: many, global: [] }, { query: '', page: 9_999 }, permissions),
  'read-only contacts': listView(lists, position, readOnly),
  'an empty form': addView({ typed: typedContact.parse({}), groupOptions: [], position }),
  'a form with an error': addView({ ...form, position, problem: hostileTexts.huge ?? '' }),
  'the form of a hostile contact': editView(worst, form),
  'the groups of a hostile contact': editView(worst, { ...form, position: { ...form.position, onlyGroups: true } }),
  'removing a hostile contact': removeView(worst, position),
  'no groups': groupsView({ local: [], global: [] }, position, permissions),
  'hostile groups': groupsView(lists, position, permissions),
  'many groups': groupsView({ local: many, global: [] }, { ...position, groups: 3 }, readOnly),
  'a hostile group': groupView(group(hostile), position, permissions),
  'a large group': groupView(group(many), { ...position, members: 20 }, readOnly),
  'a new group': newGroupView(position),
  'the import': importView(position),
  'a hostile import': previewView(hostileTexts.rightToLeft ?? '', preview, { ...position, import: 'x'.repeat(36) }),
  'an empty import': previewView('a.csv', { ...preview, added: [], updated: [], skipped: [], problems: [] }, position),
  saving: savingView('{}'),
  done: outcomeView(outcome, {}, '{}'),
  'failed, with every action': outcomeView(failed, { reopen: 'x'.repeat(36), onlyAdds: 'x'.repeat(36) }, '{}'),
  'failed, in a message': {
    text: escapeMrkdwn(outcomeText({ ...failed, message: hostileTexts.mention ?? '' })),
    blocks: [line(outcomeText(failed)), ...offerBlocks({ reopen: 'x'.repeat(36), onlyAdds: 'x'.repeat(36) })],
  },
};
