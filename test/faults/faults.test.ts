import { expect, test } from 'vitest';
import { planOf } from './plan.ts';
import { runSeeds } from './seeds.ts';

/**
 * The only seed of the short tier, with #inbox as the only inbox channel. It has no scanner fault, but every other kind,
 * and one workspace with approvals.
 */
const seed = 480;

test(`seed ${seed} has every kind of action and fault, except scanner faults`, () => {
  const { workspaces, faults } = planOf(seed);
  const actions = workspaces.flatMap(({ people }) =>
    people.flatMap((person) => person.actions.map(({ kind }) => kind)),
  );
  expect([...new Set(actions)].sort()).toEqual(['add', 'edit', 'fetch', 'remove', 'request', 'send']);
  expect(workspaces.map(({ needsApproval }) => needsApproval)).toEqual([false, true]);
  const specs = new Set(faults.map(({ spec }) => spec.kind));
  expect([...specs].sort()).toEqual(['clock', 'kill', 'postgres', 'service', 'slack call', 'slack delivery']);
});

test('under most kinds of faults, actions happen at most once and are reported', async () => {
  await runSeeds([seed], { lanes: 1, hasOnlyInbox: true });
}, 300_000);
