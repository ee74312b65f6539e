import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { fillLegal, withPrivateChannel } from '../stories/private-channel.ts';
import { gone, itemsIn, tryIds } from './other-channels.ts';

const postgres = startTestPostgres();

test("ids of another channel's items open, change and deliver nothing", async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { cleo, acme, exchange, untilIdle } = app;
  const ids = await fillLegal(app);
  await untilIdle();
  const before = await itemsIn(app);
  expect(await tryIds(app, cleo, ids, gone)).toEqual([]);
  await untilIdle();
  expect(await itemsIn(app)).toEqual(before);
  expect(acme.files).toEqual([]);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});
