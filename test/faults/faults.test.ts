import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { apiKey } from '../helpers/exchange.ts';
import { keepEvidence } from './evidence.ts';
import { openLane } from './lane.ts';
import { reportOn } from './report.ts';
import { type Run, runSeed } from './run.ts';

/** `SEED=17` replays one; `SEEDS=100` is the long run, from `FROM` on. Each lane is a deployment of its own. */
const { SEED, FROM = '1', SEEDS = '20', LANES = '3', KEEP } = process.env;
const seeds =
  SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, index) => Number(FROM) + index) : [Number(SEED)];

// A violation that does not come again is one all the same.
const once = { timeout: 120_000 + seeds.length * 60_000, retry: 0 };

test('whatever befalls them, what people confirmed happens once, and they know how it ended', once, async () => {
  const script = join(inject('programs'), 'test/programs/bot.js');
  const waiting = [...seeds];
  const runs: Run[] = [];
  const problems: string[] = [];
  const lanes = Array.from({ length: Math.min(Number(LANES), seeds.length) }, async () => {
    const lane = await openLane(script);
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const run = await runSeed(lane, seed);
      runs.push(run);
      if (KEEP !== undefined && run.violations.length > 0) await keepEvidence(KEEP, lane, run);
    }
    if (lane.bots.printed().includes(JSON.stringify(apiKey).slice(1, -1))) problems.push('a bot has printed the key');
    const ends = await lane.bots.stop();
    const unclean = ends.filter((end) => end !== '0').map((end) => `a bot that was to stop ended with ${end}`);
    problems.push(...lane.bots.problems(), ...unclean);
  });
  await Promise.all(lanes);
  process.stdout.write(reportOn(runs, problems));
  expect(runs.flatMap(({ seed, violations }) => violations.map((words) => `seed ${seed}: ${words}`))).toEqual([]);
  expect(problems).toEqual([]);
});
