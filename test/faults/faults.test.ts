import { expect, test } from 'vitest';
import { planOf } from './plan.ts';
import { runSeeds } from './seeds.ts';

/** The one seed of the short tier. It contains every kind of act and every kind of fault. */
const seed = 48;

test(`seed ${seed} has every kind of act and every kind of fault`, () => {
  const { workspaces, faults } = planOf(seed);
  const acts = workspaces.flatMap(({ people }) => people.flatMap((person) => person.acts.map(({ kind }) => kind)));
  expect([...new Set(acts)].sort()).toEqual(['add', 'edit', 'fetch', 'remove', 'request', 'send']);
  const blows = new Set(faults.map(({ spec }) => spec.kind));
  expect([...blows].sort()).toEqual(['clock', 'kill', 'postgres', 'service', 'slack call', 'slack delivery']);
});

test('under every kind of fault, confirmed acts happen once and are reported', async () => {
  await runSeeds([seed], { lanes: 1 });
}, 120_000);
