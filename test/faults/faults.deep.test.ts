import { test } from 'vitest';
import { runSeeds } from './seeds.ts';

/** `SEED=17` replays one seed. `SEEDS=100` runs 100 seeds, starting with `FROM`. Each lane is a separate deployment. */
const { SEED, FROM = '1', SEEDS = '60', LANES = '3', KEEP } = process.env;
const seeds =
  SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, index) => Number(FROM) + index) : [Number(SEED)];

test(
  'under any faults, confirmed actions happen once and their outcome is reported',
  async () => {
    process.stdout.write(await runSeeds(seeds, { lanes: Number(LANES), keep: KEEP }));
  },
  120_000 + seeds.length * 60_000,
);
