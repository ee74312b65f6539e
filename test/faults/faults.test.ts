import { expect, test } from 'vitest';
import { planOf } from './plan.ts';
import { runSeeds } from './seeds.ts';

/** The one seed of the short tier: in it people do everything there is to do, and every kind of fault strikes. */
const seed = 48;

test(`seed ${seed} has every kind of act and every kind of fault`, () => {
  const { workspaces, faults } = planOf(seed);
  const acts = workspaces.flatMap(({ people }) => people.flatMap((person) => person.acts.map(({ kind }) => kind)));
  expect([...new Set(acts)].sort()).toEqual(['add', 'edit', 'fetch', 'remove', 'request', 'send']);
  const blows = new Set(faults.map(({ blow }) => blow.kind));
  expect([...blows].sort()).toEqual(['clock', 'kill', 'postgres', 'service', 'slack call', 'slack delivery']);
});

test('under faults of every kind, what people confirmed happens once, and they learn how it ended', async () => {
  await runSeeds([seed], { lanes: 1 });
}, 120_000);
