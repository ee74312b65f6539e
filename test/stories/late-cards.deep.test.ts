import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { waitInLine } from './wait-in-line.ts';

const postgres = startTestPostgres();

test.each([1, 2])('a card whose update arrives after the end shows the end (update %i)', async (nth) => {
  const setup = await setUpApp(postgres);
  const { bo, slack, services, atRest } = setup;
  const slow = await waitInLine(setup);
  const held = [slack.addFault({ method: 'chat.update', kind: 'delay' })];
  await bo.clicks('Cancel');
  await bo.confirms('Cancel it');
  await held[0]?.struck;
  if (nth === 2) {
    held.push(slack.addFault({ method: 'chat.update', kind: 'delay' }));
    await held[0]?.release();
    // A second update is optional: the first can already show the final state.
    await Promise.race([held[1]?.struck, sleep(500)]);
    held[1]?.remove();
  }
  await slow.release();
  await until(async () => {
    const { rows } = await services.store.pool.query('select from dropline.dispatches where ended_at is null');
    return rows.length === 0 || undefined;
  }, 'both to end');
  await sleep(300);
  await held.at(-1)?.release();
  await bo.sees('Cancelled');
  await atRest();
  expect(bo.screen()).not.toContain('Stopping');
});
