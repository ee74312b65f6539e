import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpRequest } from './request-later.ts';

const postgres = startTestPostgres();

test('after a request has expired, files from its contact go to the inbox', async () => {
  const { bo, addItem, inbox, services } = await setUpRequest(postgres);
  await services.store.pool.query("update dropline.transfers set ended_at = now() - interval '73 hours'");
  await addItem('carl@example.org', ['plan.pdf']);
  await expect.poll(() => inbox.messages.map(({ text }) => text)).toContain('1 file from carl@example.org: plan.pdf');
  await bo.doesNotSee('plan.pdf');
});

test('files of a later poll go to the inbox, even if the first post is still pending', async () => {
  const { bo, addItem, inbox, services, slack } = await setUpRequest(postgres);
  const untilFound = async (count: number) =>
    expect
      .poll(async () => (await services.store.pool.query('select from dropline.inbox_items')).rowCount, {
        timeout: 10_000,
      })
      .toBe(count);
  // The first announcement is delayed, so the files of both polls are waiting at the same time.
  const delay = slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  await addItem('carl@example.org', ['plan.pdf']);
  await delay.triggered;
  await addItem('carl@example.org', ['invoice.pdf']);
  await untilFound(2);
  delay.release();
  await bo.sees('plan.pdf');
  await expect
    .poll(() => inbox.messages.map(({ text }) => text))
    .toContain('1 file from carl@example.org: invoice.pdf');
  await bo.doesNotSee('invoice.pdf');
});
