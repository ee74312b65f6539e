import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import type { ActionResult } from './action-context.ts';
import type { Decision } from './actions-approval.ts';
import { performActions } from './actors.ts';
import { check, type Verdict } from './check.ts';
import { collectFacts, countCalls } from './facts.ts';
import { stopPolling, untilIdle } from './idle.ts';
import { injectFaults } from './inject-faults.ts';
import type { Lane } from './lane.ts';
import { planOf } from './plan.ts';
import { setUpPlan } from './setup.ts';

export interface Run extends Verdict {
  seed: number;
  results: ActionResult[];
  decisions: Decision[];
  faultCounts: Map<string, number>;
  ms: number;
}

/** Runs one seed and returns the verdict. A run that cannot be completed counts as a violation. */
export async function runSeed(lane: Lane, seed: number): Promise<Run> {
  return runPlan(lane, seed).catch((error: Error) => ({
    seed,
    results: [],
    decisions: [],
    faultCounts: new Map(),
    ms: 0,
    repeated: 0,
    stale: 0,
    unknown: 0,
    violations: [`the run failed: ${error.stack}`],
  }));
}

async function runPlan(lane: Lane, seed: number): Promise<Run> {
  const started = Date.now();
  const plan = planOf(seed);
  const callsBefore = countCalls(lane);
  const workspaces = await setUpPlan(lane, plan);
  const injection = injectFaults(lane, plan.faults);
  const arriving = Promise.all(
    plan.arrivals.map(async ({ afterMs, account, sender, file }) => {
      await sleep(afterMs);
      await lane.exchange.addInboxItem(account, { sender, files: [file] });
    }),
  );
  const decisions: Decision[] = [];
  const acting = plan.workspaces.flatMap(({ people, needsApproval }, index) =>
    people.map((person) =>
      performActions(workspaces[index] as Workspace, person, needsApproval === true ? decisions : undefined),
    ),
  );
  const results = (await Promise.all(acting)).flat();
  await arriving;
  await injection.stop();
  const { faultCounts } = injection;
  const countFaults = (pattern: RegExp) =>
    [...faultCounts].reduce((sum, [name, number]) => sum + (pattern.test(name) ? number : 0), 0);
  const interruptions = { kills: countFaults(/^kill/), outages: countFaults(/^Postgres/) };
  const checkNow = () => check({ ...collectFacts(lane, plan, results, callsBefore), decisions, ...interruptions });
  const left = await untilIdle(lane, workspaces, () => checkNow().violations.length === 0);
  const { violations, ...verdict } = checkNow();
  await stopPolling(lane, workspaces);
  const ms = Date.now() - started;
  return { seed, results, decisions, faultCounts, ms, ...verdict, violations: [...violations, ...left] };
}
