import { test } from 'vitest';
import { workerProcesses } from '../helpers/feature-workers.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { type Play, sendAtOnce, sendBesideOtherProgram, sendBesideUnexpectedFile } from './interleavings.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

const play: Play = {
  count: 200,
  async keepWorking(setup, playing) {
    const workers = await workerProcesses(programs, setup, { delayMs: 20, concurrency: 4 });
    await workers.keepDuring(playing, 2);
  },
};

test("in 200 interleavings of two people, each transfer is exactly its sender's", async () => {
  await sendAtOnce(postgres, play);
}, 700_000);

test('in 200 rounds, an unexpected file is never sent, and both learn its name', async () => {
  await sendBesideUnexpectedFile(postgres, play);
}, 700_000);

test('in 200 rounds, changes by another program are never sent unnoticed', async () => {
  await sendBesideOtherProgram(postgres, play);
}, 700_000);
