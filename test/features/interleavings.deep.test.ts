import { test } from 'vitest';
import { createWorkerProcesses } from '../helpers/feature-workers.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { type RunOptions, sendAtOnce, sendWithOtherClient, sendWithUnexpectedFile } from './interleavings.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

const options: RunOptions = {
  count: 200,
  async runWorkers(setup, allRounds) {
    const workers = await createWorkerProcesses(programs, setup, { delayMs: 20, concurrency: 4 });
    await workers.runDuring(allRounds, 2);
  },
};

test('in 200 rounds, the files and recipients of two senders are never mixed up', async () => {
  await sendAtOnce(postgres, options);
}, 700_000);

test('in 200 rounds, an unexpected file is never sent; stopped senders see its name', async () => {
  await sendWithUnexpectedFile(postgres, options);
}, 700_000);

test('in 200 rounds, a change by another client stops a transfer or is reported', async () => {
  await sendWithOtherClient(postgres, options);
}, 700_000);
