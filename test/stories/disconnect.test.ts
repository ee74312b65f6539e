import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { dumpOf } from '../helpers/dump.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { addUnexpectedFile } from './status.ts';

const postgres = startTestPostgres();

const finishedText = "✅ Disconnected. All of this workspace's data in Dropline was deleted";

async function setUpDisconnect() {
  const app = await setUpApp(postgres);
  const { anna, database, untilIdle } = app;
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  onTestFinished(() => pool.end());
  return {
    ...app,
    async disconnect() {
      await anna.types('/drop disconnect', { in: '#general' });
      await anna.clicks('Disconnect…');
      await anna.confirms('Disconnect');
      await anna.sees("I'll message you when it's finished.");
      await anna.closes();
      await untilIdle();
    },
    countNotices: () => anna.messages.filter(({ text }) => text.startsWith('✅ Disconnected.')).length,
    rowsNaming: async (text: string) => (await dumpOf(pool)).split('\n').filter((line) => line.includes(text)),
  };
}

test('the person who disconnects is told once when all data is deleted', async () => {
  const { anna, bo, disconnect, countNotices, rowsNaming, services, acme } = await setUpDisconnect();
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await disconnect();
  expect(await services.store.credentials.get(acme.id)).toBeUndefined();
  expect(await rowsNaming(anna.id)).toEqual([]);
  await anna.opens('Dropline');
  await anna.sees(`${finishedText}.`);
  expect(countNotices()).toBe(1);
});

test('a notice that fails after the data is deleted is sent by the next attempt', async () => {
  const { anna, disconnect, countNotices, rowsNaming, slack, services, acme } = await setUpDisconnect();
  const refused = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'fatal_error' });
  await disconnect();
  await refused.struck;
  expect(await services.store.credentials.get(acme.id)).toBeUndefined();
  await expect.poll(() => services.queue.retryNow(`leave ${acme.id}`).then(countNotices), { interval: 300 }).toBe(1);
  await expect.poll(() => rowsNaming(anna.id)).toEqual([]);
  expect(countNotices()).toBe(1);
});

test('the notice says if uploads are left because the key is refused', async () => {
  const app = await setUpDisconnect();
  const { anna, account, disconnect } = app;
  addUnexpectedFile(app, 'left.pdf');
  account.apiKey = 'another';
  account.tokens.length = 0;
  await disconnect();
  await anna.opens('Dropline');
  await anna.sees(`${finishedText}, but leftover uploads couldn't be removed from the account.`);
});
