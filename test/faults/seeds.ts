import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { apiKey } from '../helpers/exchange.ts';
import { saveEvidence } from './evidence.ts';
import { openLane } from './lane.ts';
import { planOf, withoutChannels } from './plan.ts';
import { membersMaxAgeMs } from './plan-channels.ts';
import { formatReport } from './report.ts';
import { type Run, runPlan } from './run.ts';

export interface SeedOptions {
  /** How many deployments run seeds in parallel. */
  lanes: number;
  /** A folder for the evidence of seeds with violations. */
  keep?: string;
  /** No seed starts later than this after the start of the run. */
  limitMs?: number;
  /** Leaves out the inbox channels beside #inbox. */
  hasOnlyInbox?: boolean;
}

/** Expects that actions happen at most once and their outcome is reported, under all faults. Returns the report. */
export async function runSeeds(
  seeds: readonly number[],
  { lanes, keep, limitMs, hasOnlyInbox }: SeedOptions,
): Promise<string> {
  const script = join(inject('programs'), 'test/programs/bot.js');
  const waiting = [...seeds];
  const stopAt = Date.now() + (limitMs ?? Number.POSITIVE_INFINITY);
  const next = () => (Date.now() < stopAt ? waiting.shift() : undefined);
  const runs: Run[] = [];
  const problems: string[] = [];
  const running = Array.from({ length: Math.min(lanes, seeds.length) }, async () => {
    const lane = await openLane(script, hasOnlyInbox === true ? undefined : membersMaxAgeMs);
    for (let seed = next(); seed !== undefined; seed = next()) {
      const run = await runPlan(lane, hasOnlyInbox === true ? withoutChannels(planOf(seed)) : planOf(seed));
      runs.push(run);
      if (keep !== undefined && run.violations.length > 0) await saveEvidence(keep, lane, run);
    }
    if (lane.bots.printed().includes(JSON.stringify(apiKey).slice(1, -1))) problems.push('a bot has printed the key');
    const ends = await lane.bots.stop();
    const failedExits = ends.filter((end) => end !== '0').map((end) => `a bot exited with ${end} after SIGTERM`);
    problems.push(...lane.bots.problems(), ...failedExits);
  });
  await Promise.all(running);
  expect(runs.flatMap(({ seed, violations }) => violations.map((violation) => `seed ${seed}: ${violation}`))).toEqual(
    [],
  );
  expect(problems).toEqual([]);
  return formatReport(runs, problems);
}
