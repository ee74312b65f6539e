import { expect, test } from 'vitest';
import { pause } from '../../src/features/pause/operations.ts';
import { resumeTransfers } from '../../src/features/transfers/queue.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { admin, anna, bo, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('pausing and resuming at any moment neither loses nor repeats a transfer', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, account, untilEnded } = setup;
  await setup.startWorker({ concurrency: 4 });
  const ids: string[] = [];
  for (let number = 0; number < 6; number += 1) {
    const file = sourceFiles.put(`F${number}`, `file${number}.txt`, `data ${number}`);
    const draft = { recipients: ['carl@example.org'], groups: [], message: String(number), expiresAfter: 7 };
    const { reviewId } = await prepareSend(services, anna, { ...draft, files: [file] });
    await confirmSend(services, anna, reviewId);
    ids.push(reviewId);
    await pause(services, admin, 'sending', 'Now');
    await new Promise((resolve) => setTimeout(resolve, (number * 17) % 60));
    await resumeTransfers(services, admin, 'sending');
  }
  for (const id of ids) expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
  expect(account.drops.map(({ message }) => message).sort()).toEqual(ids.map((_, number) => String(number)).sort());
}, 300_000);

test('no transfer is committed during a pause, and no job stays in the queue', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, account, store, queue } = setup;
  const ids: string[] = [];
  for (const number of [0, 1, 2]) {
    const file = sourceFiles.put(`F${number}`, `file${number}.txt`, `data ${number}`);
    const draft = { recipients: ['carl@example.org'], groups: [], message: String(number), expiresAfter: 7 };
    const { reviewId } = await prepareSend(services, bo, { ...draft, files: [file] });
    await confirmSend(services, bo, reviewId);
    ids.push(reviewId);
  }
  await pause(services, admin, 'sending', 'Now');
  const runner = await setup.startWorker();
  await until(async () => ((await queue.size()) === 0 ? true : undefined), 'the jobs to end');
  expect(setup.notifications.paused.sort()).toEqual([...ids].sort());
  const states = await Promise.all(ids.map(async (id) => (await transfersIn(store).read(id))?.state));
  expect(states).toEqual(['waiting', 'waiting', 'waiting']);
  expect(account.uploads).toEqual([]);
  await runner.stop();
  await resumeTransfers(services, admin, 'sending');
  // No worker runs now, so the jobs stay in the queue and their order can be read.
  const { rows } = await store.pool.query<{ key: string }>('select key from graphile_worker.jobs order by run_at');
  expect(rows.map(({ key }) => key)).toEqual(ids.map((id) => `send ${id}`));
  await setup.startWorker();
  for (const id of ids) await setup.untilEnded(id);
  expect(account.drops.map(({ message }) => message)).toEqual(['0', '1', '2']);
});
