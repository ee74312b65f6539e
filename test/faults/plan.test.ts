import { expect, test } from 'vitest';
import { pauseTargets } from '../../src/features/pause/repository.ts';
import { isInfected, planOf } from './plan.ts';

const seeds = Array.from({ length: 60 }, (_, seed) => seed);

test('a seed always produces the same plan, and no two seeds share a plan', () => {
  expect(planOf(17)).toEqual(planOf(17));
  expect(new Set(seeds.map((seed) => JSON.stringify(planOf(seed)))).size).toBe(seeds.length);
});

test('many seeds together contain every kind of action and fault', () => {
  const plans = seeds.map(planOf);
  const actions = plans.flatMap(({ workspaces }) =>
    workspaces.flatMap(({ people }) => people.flatMap((one) => one.actions)),
  );
  expect([...new Set(actions.map(({ kind }) => kind))].sort()).toEqual([
    'add',
    'edit',
    'fetch',
    'remove',
    'request',
    'send',
  ]);
  const approvals = plans.flatMap(({ workspaces }) => workspaces.map(({ needsApproval }) => needsApproval));
  expect(new Set(approvals)).toEqual(new Set([true, false]));
  const digests = plans.flatMap(({ workspaces }) =>
    workspaces.map(({ digest, endsDigest }) => `${digest} ${endsDigest}`),
  );
  const combinations = ['hour', 'day'].flatMap((every) => [`${every} true`, `${every} false`]);
  expect(new Set(digests)).toEqual(new Set(['undefined undefined', ...combinations]));
  const pauses = plans.flatMap(({ workspaces }) => workspaces.flatMap((one) => one.pauses ?? []));
  expect(new Set(pauses.map(({ target }) => target))).toEqual(new Set(pauseTargets));
  const fetches = actions.flatMap((action) => (action.kind === 'fetch' ? [action.isAll] : []));
  expect(new Set(fetches)).toEqual(new Set([true, false]));
  const requests = actions.filter((action) => action.kind === 'request');
  expect(requests.some(({ ticks = 0, isAskedAgain = false }) => ticks > 0 && isAskedAgain)).toBe(true);
  const specs = plans.flatMap(({ faults }) => faults.map(({ spec }) => spec));
  const kinds = new Set(specs.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([
    'clock',
    'kill',
    'postgres',
    'scanner',
    'service',
    'slack call',
    'slack delivery',
  ]);
});

test('many seeds together have every kind of inbox channel, and people who come and go', () => {
  const all = seeds.flatMap((seed) => planOf(seed).workspaces.flatMap(({ channels }) => channels ?? []));
  const inboxes = all.flatMap((one) => one.inboxes);
  expect(new Set(inboxes.map(({ kind }) => kind))).toEqual(new Set(['private', 'public']));
  expect(new Set(inboxes.map(({ delivery }) => delivery))).toEqual(new Set(['private', 'link']));
  expect(inboxes.some(({ hasDigest }) => hasDigest)).toBe(true);
  const changes = inboxes.flatMap(({ members, changes: planned }) =>
    planned.map(({ person }) => members.includes(person)),
  );
  expect(new Set(changes)).toEqual(new Set([true, false]));
  expect(all.some(({ moveAfterMs }) => moveAfterMs !== undefined)).toBe(true);
  expect(new Set(all.map(({ isDanLimited }) => isDanLimited))).toEqual(new Set([true, false]));
});

test('many seeds together contain infected files, both sent and received', () => {
  const plans = seeds.map(planOf);
  const sent = plans.flatMap(({ workspaces }) =>
    workspaces.flatMap(({ people }) =>
      people.flatMap(({ actions }) => actions.flatMap((action) => ('files' in action ? action.files : []))),
    ),
  );
  expect(sent.some(isInfected)).toBe(true);
  expect(plans.some(({ arrivals }) => arrivals.some(({ file }) => isInfected(file)))).toBe(true);
});

test('a plan changes each contact at most once and never changes recipients', () => {
  for (const seed of seeds) {
    const { workspaces } = planOf(seed);
    const actions = workspaces.flatMap(({ people }) => people.flatMap((one) => one.actions));
    const changed = actions.flatMap((action) => ('contact' in action ? [action.contact.email] : []));
    const recipients = actions.flatMap((action) => ('to' in action ? action.to.map(({ email }) => email) : []));
    expect(new Set(changed).size).toBe(changed.length);
    expect(recipients.filter((email) => changed.includes(email))).toEqual([]);
  }
});
