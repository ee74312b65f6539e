import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { actAs } from './actors.ts';
import { check, type Verdict } from './check.ts';
import { collectFacts, since } from './facts.ts';
import type { Done } from './hand.ts';
import type { Lane } from './lane.ts';
import { planOf } from './plan.ts';
import { stopPolling, untilQuiet } from './quiet.ts';
import { setTheStage } from './stage.ts';
import { startStriking } from './strikes.ts';

export interface Run extends Verdict {
  seed: number;
  done: Done[];
  struck: Map<string, number>;
  ms: number;
}

/** Runs one seed and returns the verdict. A run that cannot be completed counts as a violation. */
export async function runSeed(lane: Lane, seed: number): Promise<Run> {
  return runToTheEnd(lane, seed).catch((error: Error) => ({
    seed,
    done: [],
    struck: new Map(),
    ms: 0,
    repeated: 0,
    stale: 0,
    unknown: 0,
    violations: [`not run to its end: ${error.stack}`],
  }));
}

async function runToTheEnd(lane: Lane, seed: number): Promise<Run> {
  const started = Date.now();
  const plan = planOf(seed);
  const begun = since(lane);
  const workspaces = await setTheStage(lane, plan);
  const striking = startStriking(lane, plan.faults);
  const arriving = Promise.all(
    plan.arrivals.map(async ({ afterMs, account, sender, file }) => {
      await sleep(afterMs);
      await lane.exchange.addInboxItem(account, { sender, files: [file] });
    }),
  );
  const acting = plan.workspaces.flatMap(({ people }, index) =>
    people.map((person) => actAs(workspaces[index] as Workspace, person)),
  );
  const done = (await Promise.all(acting)).flat();
  await arriving;
  await striking.stop();
  const { struck } = striking;
  const counted = (pattern: RegExp) =>
    [...struck].reduce((sum, [name, number]) => sum + (pattern.test(name) ? number : 0), 0);
  const excuses = { kills: counted(/^kill/), outages: counted(/^Postgres/) };
  const judge = () => check({ ...collectFacts(lane, plan, done, begun), ...excuses });
  const left = await untilQuiet(lane, workspaces, () => judge().violations.length === 0);
  const { violations, ...verdict } = judge();
  await stopPolling(lane, workspaces);
  return { seed, done, struck, ms: Date.now() - started, ...verdict, violations: [...violations, ...left] };
}
