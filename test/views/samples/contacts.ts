import { type Contact, makeContact } from '../../../src/exchange/index.ts';
import { addView, editView, typedContact, typedOf } from '../../../src/features/contacts/edit/form.ts';
import { offerBlocks, outcomeText, outcomeView, savingView } from '../../../src/features/contacts/edit/views.ts';
import { groupsView, groupView, newGroupView } from '../../../src/features/contacts/groups/views.ts';
import { importView, previewView } from '../../../src/features/contacts/import/views.ts';
import { earlierChoice } from '../../../src/features/contacts/list/suggest.ts';
import { listView, removeView } from '../../../src/features/contacts/views.ts';
import { line } from '../../../src/slack/blocks.ts';
import { escapeMrkdwn } from '../../../src/slack/words.ts';
import { nastyEmails, nastyList, nastyTexts, type Samples } from '../nasty.ts';

const nasty = nastyList.map((text, number) =>
  makeContact({ email: nastyEmails[number] ?? text, number: text, language: text, nick: text, groups: nastyList }),
);
const many = Array.from({ length: 3_000 }, (_, number) =>
  makeContact({ email: `p${number}@example.org`, groups: [`group ${number % 400}`] }),
);
const [worst = makeContact({ email: 'a@b.c' })] = nasty;
const lists = { local: nasty, global: nasty };
const position = { query: '', page: 0 };
const rights = { mayChange: true, onlyAdds: false };
const looking = { mayChange: false, onlyAdds: true };
const { options } = earlierChoice(lists, { receivers: [], groups: nastyList });
const form = { typed: typedOf(worst), groupOptions: options, position: { ...position, contact: 'x'.repeat(22) } };
const failed = { state: 'failed', code: 'only-adds', sentence: nastyTexts.huge ?? '', names: nastyList } as const;
const done = { state: 'done', added: 1, updated: 2_000, removed: 3, restored: nastyEmails } as const;
const group = (members: Contact[]) => ({ name: nastyTexts.huge ?? '', members, own: new Set(members) });
const preview = {
  change: { kind: 'import' as const, contacts: [] },
  added: 4_000,
  updated: 999,
  unchanged: 12,
  skipped: [...nastyEmails, ...nastyList],
  left: 3,
  problems: nastyList.flatMap((sentence, line) => [
    { line, sentence },
    { line, sentence },
  ]),
};
const outcome = { ...done, restored: [...done.restored] };

export const samples: Samples = {
  'no contacts': listView({ local: [], global: [] }, position, rights),
  'nasty contacts': listView(lists, position, rights),
  'nasty search results, second page': listView(lists, { query: 'x', page: 1 }, rights),
  'many contacts, a missing page': listView({ local: many, global: [] }, { query: '', page: 9_999 }, rights),
  'read-only contacts': listView(lists, position, looking),
  'an empty form': addView({ typed: typedContact.parse({}), groupOptions: [], position }),
  'a form with an error': addView({ ...form, position, problem: nastyTexts.huge ?? '' }),
  'the form of a nasty contact': editView(worst, form),
  'the groups of a nasty contact': editView(worst, { ...form, position: { ...form.position, onlyGroups: true } }),
  'removing a nasty contact': removeView(worst, position),
  'no groups': groupsView({ local: [], global: [] }, position, rights),
  'nasty groups': groupsView(lists, position, rights),
  'many groups': groupsView({ local: many, global: [] }, { ...position, groups: 3 }, looking),
  'a nasty group': groupView(group(nasty), position, rights),
  'a large group': groupView(group(many), { ...position, members: 20 }, looking),
  'a new group': newGroupView(position),
  'the import': importView(position),
  'a nasty import': previewView(nastyTexts.rightToLeft ?? '', preview, { ...position, import: 'x'.repeat(36) }),
  'an empty import': previewView('a.csv', { ...preview, added: 0, updated: 0, skipped: [], problems: [] }, position),
  saving: savingView('{}'),
  done: outcomeView(outcome, {}, '{}'),
  'failed, with every action': outcomeView(failed, { again: 'x'.repeat(36), onlyAdds: 'x'.repeat(36) }, '{}'),
  'failed, in a message': {
    text: escapeMrkdwn(outcomeText({ ...failed, sentence: nastyTexts.mention ?? '' })),
    blocks: [line(outcomeText(failed)), ...offerBlocks({ again: 'x'.repeat(36), onlyAdds: 'x'.repeat(36) })],
  },
};
