import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { queueBehindAnna } from './send.ts';

const postgres = startTestPostgres();

test.each([1, 2])("if a card's update is delayed, the card still shows the final state (update %i)", async (nth) => {
  const setup = await setUpApp(postgres);
  const { bo, slack, services, untilIdle } = setup;
  const slow = await queueBehindAnna(setup);
  const delays = [slack.addFault({ method: 'chat.update', kind: 'delay' })];
  await bo.clicks('Cancel');
  await bo.confirms('Cancel transfer');
  await delays[0]?.triggered;
  if (nth === 2) {
    delays.push(slack.addFault({ method: 'chat.update', kind: 'delay' }));
    await delays[0]?.release();
    // A second update is optional: the first can already show the final state.
    await Promise.race([delays[1]?.triggered, sleep(500)]);
    delays[1]?.remove();
  }
  await slow.release();
  await until(async () => {
    const { rows } = await services.store.pool.query('select from dropline.transfers where ended_at is null');
    return rows.length === 0 || undefined;
  }, 'both transfers to end');
  await sleep(300);
  await delays.at(-1)?.release();
  await bo.sees('Cancelled');
  await untilIdle();
  expect(bo.screen()).not.toContain('Cancelling');
});
