import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openLane } from './lane.ts';
import { type Plan, planOf, withoutChannels } from './plan.ts';
import { runPlan } from './run.ts';

/** Whether a request is repeated after points of it were ticked off. Requests that need approval don't count: they are sent too late to be repeated. */
const asksAgain = ({ workspaces }: Plan) =>
  workspaces.some(
    ({ people, needsApproval }) =>
      needsApproval !== true &&
      people.some(({ actions }) =>
        actions.some((action) => action.kind === 'request' && action.isAskedAgain && action.ticks !== 0),
      ),
  );

/** Faults stop some actions, so only a run without faults shows whether the scripted actions still fit the forms. */
test('without faults and pauses, every action of a seed is accepted', async () => {
  const lane = await openLane(join(inject('programs'), 'test/programs/bot.js'));
  const unfinished: string[] = [];
  const kinds = new Set<string>();
  let ticks = 0;
  let repeats = 0;
  const plans = Array.from({ length: 100 }, (_, seed) => withoutChannels(planOf(seed))).filter(asksAgain);
  for (const plan of plans.slice(0, 3)) {
    const workspaces = plan.workspaces.map((workspace) => ({ ...workspace, pauses: [] }));
    const { results, violations } = await runPlan(lane, { ...plan, workspaces, faults: [] });
    expect(violations).toEqual([]);
    for (const { action, progress, error } of results) {
      kinds.add(action.kind);
      if (progress !== 'accepted') unfinished.push(`${action.id} (${action.kind}) ${progress}: ${error}`);
    }
    repeats += results.filter(({ action, repeated }) => action.kind === 'request' && repeated === 'accepted').length;
    ticks += results.flatMap((result) => result.ticks ?? []).filter(({ isConfirmed }) => isConfirmed).length;
  }
  await lane.bots.stop();
  expect(unfinished).toEqual([]);
  expect([...kinds].sort()).toEqual(['add', 'edit', 'fetch', 'remove', 'request', 'send']);
  expect(ticks).toBeGreaterThan(0);
  expect(repeats).toBeGreaterThan(0);
}, 300_000);
