import { test } from 'vitest';
import { runSeeds } from './seeds.ts';

/** `SEED=17` replays one; `SEEDS=100` is the long run, from `FROM` on. Each lane is a deployment of its own. */
const { SEED, FROM = '1', SEEDS = '60', LANES = '3', KEEP } = process.env;
const seeds =
  SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, index) => Number(FROM) + index) : [Number(SEED)];

test(
  'under any faults, what people confirmed happens once, and they learn how it ended',
  async () => {
    process.stdout.write(await runSeeds(seeds, { lanes: Number(LANES), keep: KEEP }));
  },
  120_000 + seeds.length * 60_000,
);
