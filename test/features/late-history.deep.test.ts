import { expect, test } from 'vitest';
import { anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { lateHistory, startWorker } from './late-history.ts';

const postgres = startTestPostgres();

test("a transfer isn't matched to another sender's entry with the same file name", async () => {
  const setup = await setUpFeatures(postgres, { server: lateHistory });
  const { send, sourceFiles, notifications, untilDrained, store } = setup;
  await startWorker(setup);
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const ids: string[] = [];
  for (const [actor, recipient] of [
    [anna, 'carl@example.org'],
    [bo, 'dora@example.net'],
    [anna, 'carl@example.org'],
    [bo, 'emil@example.com'],
  ] as const) {
    ids.push((await send(actor, { files: ['F1'], recipients: [recipient] })).id);
  }
  await untilDrained();
  expect(notifications.alarms).toEqual([]);
  const { rows } = await store.pool.query('select entry_hash from dropline.transfers where id = any ($1)', [ids]);
  expect(rows.filter(({ entry_hash }) => entry_hash !== null).length).toBeGreaterThanOrEqual(3);
});
