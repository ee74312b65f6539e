import { expect, test } from 'vitest';
import { queueReminders } from '../../src/features/inbox/reminders/jobs.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpWithTime } from '../helpers/time.ts';
import { asksForApproval } from './approval.ts';
import { directMessages, remindersIn, requestFrom } from './reminders.ts';
import { setApproval } from './waiting-approval.ts';

const postgres = startTestPostgres();

test('when days pass, each deadline takes effect once and nothing is lost', async () => {
  const app = await setUpWithTime(() => setUpInboxApp(postgres, { isSeparate: true }));
  const { acme, anna, bo, account, inbox, services, addItem, changeSettings, passHours } = app;
  await changeSettings({ requests: true });
  await requestFrom(bo, 'dora@example.net');
  await setApproval(app, { every: true, approvers: [anna.id] });
  await asksForApproval(bo);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.opens('#inbox');
  await bo.sees('1 file from carl@example.org');

  const start = Date.now();
  let day = 0;
  for (const days of [1, 1, 1, 3.5, 1.5]) {
    await passHours(24 * days);
    day += days;
    await queueReminders(services);
    await passHours(0);
    // The card, and the notice in its thread.
    const lapsed = directMessages(bo, 'No one approved it in time. Nothing was sent.').length;
    const reminders = directMessages(bo, 'Your request expires').length;
    expect([day, lapsed, reminders]).toEqual([day, day < 3 ? 0 : 2, day < 2 ? 0 : 1]);
  }
  expect(Math.round((Date.now() - start) / 86_400_000)).toBe(8);
  await bo.sees('No longer available');
  expect(remindersIn(inbox)).toHaveLength(1);
  expect(account.drops.map(({ type }) => type)).toEqual(['uploadfiles']);

  await addItem('emil@example.com', ['late.pdf']);
  await bo.sees('1 file from emil@example.com');
  const { rows } = await services.store.pool.query<{ first_seen: Date }>(
    'select first_seen from dropline.inbox_items where url = $1',
    [account.inbox.at(-1)?.url],
  );
  expect(Math.abs(Date.now() - Number(rows[0]?.first_seen))).toBeLessThan(60_000);
  const entries = await services.store.audit.list(acme.id);
  expect(entries.map(({ action }) => action)).toContain('ask for approval');
});
