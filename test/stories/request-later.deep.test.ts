import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpRequest } from './request-later.ts';

const postgres = startTestPostgres();

test('files sent after a request has expired go to the inbox', async () => {
  const { bo, arrive, inbox, services } = await setUpRequest(postgres);
  await services.store.pool.query("update dropline.dispatches set ended_at = now() - interval '73 hours'");
  await arrive('carl@example.org', ['plan.pdf']);
  await expect.poll(() => inbox.messages.map(({ text }) => text)).toContain('1 file from carl@example.org: plan.pdf');
  await bo.doesNotSee('plan.pdf');
});

test('only files of the first poll answer a request, even if later ones wait with them', async () => {
  const { bo, arrive, inbox, services, slack } = await setUpRequest(postgres);
  const found = async (count: number) =>
    expect
      .poll(async () => (await services.store.pool.query('select from dropline.inbox_items')).rowCount, {
        timeout: 10_000,
      })
      .toBe(count);
  // The first announcement waits, so the files of the second poll wait with it.
  const delay = slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  await arrive('carl@example.org', ['plan.pdf']);
  await delay.triggered;
  await arrive('carl@example.org', ['invoice.pdf']);
  await found(2);
  delay.release();
  await bo.sees('plan.pdf');
  await expect
    .poll(() => inbox.messages.map(({ text }) => text))
    .toContain('1 file from carl@example.org: invoice.pdf');
  await bo.doesNotSee('invoice.pdf');
});
