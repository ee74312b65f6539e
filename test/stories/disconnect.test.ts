import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { setUpDisconnect } from './disconnect.ts';

const postgres = startTestPostgres();
const finishedText = "✅ Disconnected. All of this workspace's data in Dropline was deleted";

test('the person who disconnects gets one message when all data is deleted', async () => {
  const { anna, bo, disconnect, countNotices, rowsContaining, services, acme } = await setUpDisconnect(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await disconnect();
  expect(await services.store.credentials.get(acme.id)).toBeUndefined();
  expect(await rowsContaining(anna.id)).toEqual([]);
  await anna.opens('Dropline');
  await anna.sees(`${finishedText}.`);
  expect(countNotices()).toBe(1);
});
