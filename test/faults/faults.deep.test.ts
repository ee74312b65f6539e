import { test } from 'vitest';
import { runSeeds } from './seeds.ts';

/**
 * `SEED=17` replays one seed. `SEEDS=100` runs 100 seeds, starting with `FROM`; `MINUTES=30` starts no seed after that
 * time. `LANES` is the number of separate deployments, `KEEP` a folder for the evidence of seeds with violations.
 * `CHANNELS=true` adds inbox channels that people join and leave, for a machine that does nothing else.
 */
const {
  SEED,
  FROM = '1',
  MINUTES,
  SEEDS = MINUTES === undefined ? '60' : '2000',
  LANES = '3',
  KEEP,
  CHANNELS,
} = process.env;
const seeds =
  SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, index) => Number(FROM) + index) : [Number(SEED)];
const limitMs = MINUTES === undefined ? undefined : Number(MINUTES) * 60_000;
const options = { lanes: Number(LANES), keep: KEEP, limitMs, hasOnlyInbox: CHANNELS !== 'true' };

test(
  'under faults, confirmed actions happen at most once and are reported',
  async () => {
    process.stdout.write(await runSeeds(seeds, options));
  },
  120_000 + seeds.length * 60_000,
);
