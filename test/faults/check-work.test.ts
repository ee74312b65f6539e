import { expect, test } from 'vitest';
import type { WorkClick } from './actions-work.ts';
import { checkWork, type WorkFacts } from './check-work.ts';

const title = '1 file from carl@example.org';
const clicks: WorkClick[] = [
  { workspace: 'Acme', by: 'Anna', action: 'take', title },
  { workspace: 'Acme', by: 'Bo', action: 'take over', title },
];
const item: WorkFacts = {
  workspace: 'Acme',
  title,
  file: 'plan.pdf',
  taken: 'Bo',
  done: undefined,
  entries: [
    { action: 'take', by: 'Anna', holder: undefined },
    { action: 'take over', by: 'Bo', holder: 'Anna' },
  ],
  posts: ['1 file from carl@example.org\nplan.pdf\nTaken by @Bo since today'],
  messages: { Anna: [`@Bo took over ${title}, which you had taken.`], Bo: [] },
};

test('an item passes the check if its audit entries, state, posts and messages agree', () => {
  expect(checkWork([item], clicks)).toEqual([]);
});

test.each<[string, Partial<WorkFacts>, RegExp]>([
  [
    'a second Take',
    { entries: [...item.entries, { action: 'take', by: 'Bo', holder: 'Bo' }] },
    /impossible “take” of Bo/,
  ],
  ['a holder that differs from the audit log', { taken: 'Anna' }, /another state than the audit/],
  ['an outdated post', { posts: ['plan.pdf\nTaken by @Anna since today'] }, /no post with its state/],
  ['a former holder without a message', { messages: { Anna: [] } }, /taken from Anna, who was not told/],
])('the check of a fault run reports %s', (_, changes, violation) => {
  expect(checkWork([{ ...item, ...changes }], clicks).join()).toMatch(violation);
});

test('the check of a fault run reports a change without a click', () => {
  expect(checkWork([item], clicks.slice(0, 1))).toEqual(['Acme: plan.pdf has more “take over” of Bo than clicks']);
});
