import { expect, test } from 'vitest';
import { planOf } from './plan.ts';

const seeds = Array.from({ length: 60 }, (_, seed) => seed);

test('a seed always produces the same plan, and no two seeds share one', () => {
  expect(planOf(17)).toEqual(planOf(17));
  expect(new Set(seeds.map((seed) => JSON.stringify(planOf(seed)))).size).toBe(seeds.length);
});

test('many seeds together cover every act and every fault', () => {
  const plans = seeds.map(planOf);
  const acts = plans.flatMap(({ workspaces }) => workspaces.flatMap(({ people }) => people.flatMap((one) => one.acts)));
  expect([...new Set(acts.map(({ kind }) => kind))].sort()).toEqual([
    'add',
    'edit',
    'fetch',
    'remove',
    'request',
    'send',
  ]);
  const blows = plans.flatMap(({ faults }) => faults.map(({ spec }) => spec));
  const kinds = new Set(blows.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['clock', 'kill', 'postgres', 'service', 'slack call', 'slack delivery']);
});

test('each contact is edited at most once, and recipients are never edited', () => {
  for (const seed of seeds) {
    const { workspaces } = planOf(seed);
    const acts = workspaces.flatMap(({ people }) => people.flatMap((one) => one.acts));
    const changed = acts.flatMap((act) => ('contact' in act ? [act.contact.email] : []));
    const receivers = acts.flatMap((act) => ('to' in act ? act.to.map(({ email }) => email) : []));
    expect(new Set(changed).size).toBe(changed.length);
    expect(receivers.filter((email) => changed.includes(email))).toEqual([]);
  }
});
