import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

async function setUpRequest(): Promise<InboxApp & { pollAt(when: string): Promise<unknown> }> {
  const app = await setUpInboxApp(postgres);
  const { bo, set, services } = app;
  await set({ requests: true });
  await request(bo, 'board');
  return { ...app, pollAt: (when) => services.store.pool.query(`update dropline.polls set next_at = ${when}`) };
}

async function request(person: Person, from: string): Promise<void> {
  await person.types('/drop request');
  await person.picks('Request from', from);
  await person.fills('Expires after (days)', '3');
  await person.fills('Message', 'Please send the plans.');
  await person.submits('Review');
  await person.sees('The first files from each person arrive in the thread of your request, later ones in the inbox.');
  await person.submits('Request from 2 people');
  await openCard(person);
  await person.sees('No uploads yet.');
}

test('only the first files of each person go to the request, later ones to the inbox', async () => {
  const { bo, arrive, pollAt, inbox } = await setUpRequest();
  await pollAt(`now() + interval '1 hour'`);
  await arrive('carl@example.org', ['plan.pdf']);
  await arrive('carl@example.org', ['map.png']);
  await pollAt('now()');
  await bo.sees(/plan\.pdf[\s\S]*map\.png|map\.png[\s\S]*plan\.pdf/);
  await arrive('carl@example.org', ['invoice.pdf']);
  await expect
    .poll(() => inbox.messages.map(({ text }) => text))
    .toContain('1 file from carl@example.org: invoice.pdf');
  await bo.doesNotSee('invoice.pdf');
  await arrive('dora@example.net', ['letter.pdf']);
  await bo.sees('1 file from dora@example.net, requested by @Bo');
  expect(inbox.messages.filter(({ text }) => /plan|map|letter/.test(text))).toEqual([]);
});

test('files sent after a request has expired go to the inbox', async () => {
  const { bo, arrive, inbox, services } = await setUpRequest();
  await services.store.pool.query("update dropline.dispatches set ended_at = now() - interval '73 hours'");
  await arrive('carl@example.org', ['plan.pdf']);
  await expect.poll(() => inbox.messages.map(({ text }) => text)).toContain('1 file from carl@example.org: plan.pdf');
  await bo.doesNotSee('plan.pdf');
});

test('files of different polls that are announced together are told apart', async () => {
  const { bo, arrive, inbox, services, slack } = await setUpRequest();
  const found = async (count: number) =>
    expect
      .poll(async () => (await services.store.pool.query('select from dropline.inbox_items')).rowCount, {
        timeout: 10_000,
      })
      .toBe(count);
  // The first announcement waits, so the files of the second poll wait with it.
  const delay = slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  await arrive('carl@example.org', ['plan.pdf']);
  await delay.struck;
  await arrive('carl@example.org', ['invoice.pdf']);
  await found(2);
  delay.release();
  await bo.sees('plan.pdf');
  await expect
    .poll(() => inbox.messages.map(({ text }) => text))
    .toContain('1 file from carl@example.org: invoice.pdf');
  await bo.doesNotSee('invoice.pdf');
});
