import { expect, test } from 'vitest';
import { connectionOf } from '../../src/features/common/connection.ts';
import { clearCachedContacts } from '../../src/features/contacts/list/operations.ts';
import { changeDraft } from '../../src/features/staging/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const recipientsLabel = 'Recipients of your next transfer';

test('suggestions from 5,000 cached contacts arrive in time while the service hangs', async () => {
  const { bo, account, exchange, slack } = await setUpApp(postgres);
  account.contacts.local = Array.from({ length: 5_000 }, (_, number) => ({
    email: `p${number}@example.org`,
    groups: [`group ${number % 300}`],
  }));
  await bo.opens('#general');
  await bo.types('/drop recipients');
  await bo.sees(recipientsLabel);
  const hanging = exchange.addFault({ operation: 'contacts_read', kind: 'delay', times: 50 });
  await bo.picks(recipientsLabel, 'p4999@');
  await bo.picks(recipientsLabel, 'group 299');
  await hanging.triggered;
  const suggestions = slack.deliveries.filter(({ kind }) => kind === 'block_suggestion');
  expect(suggestions.map(({ outcome }) => outcome)).toEqual(['acked', 'acked']);
  hanging.remove();
  await hanging.release();
  await bo.submits('Save');
  await bo.sees('17 recipients saved.');
});

test('suggestions without a cache are empty until a hanging service answers', async () => {
  const { bo, exchange, slack, services, acme } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop recipients');
  await bo.sees(recipientsLabel);
  // Clear the cache, as in a process that has not loaded the contacts yet.
  clearCachedContacts(services, (await connectionOf(services, { workspace: acme.id })).exchange.account);
  const reading = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await expect(bo.picks(recipientsLabel, 'Carl')).rejects.toThrow();
  await reading.release();
  await bo.picks(recipientsLabel, 'Carl');
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
});

test('a new contact that one process finds is accepted by another with an old cache', async () => {
  const { bo, account, slack, url, startAnotherBot } = await setUpApp(postgres, { timing: { contactsTtlMs: 60_000 } });
  const other = await startAnotherBot();
  await bo.opens('#general');
  for (const process of [other.url, url]) {
    slack.deliverTo(process);
    await bo.types('/drop recipients');
    await bo.picks(recipientsLabel, 'carl');
    await bo.closes();
  }
  account.contacts.local.push({ email: 'fia@example.org' });
  await bo.types('/drop recipients');
  await bo.picks(recipientsLabel, 'fia');
  slack.deliverTo(other.url);
  await bo.submits('Save');
  await bo.sees('1 recipient saved.');
  await bo.sees('fia@example.org');
});

test('a message reports the saved recipients if the form was closed before the answer', async () => {
  const { bo, exchange } = await setUpApp(postgres);
  await bo.types('/drop recipients', { in: '#general' });
  await bo.picks(recipientsLabel, 'carl');
  const slow = exchange.addFault({ operation: 'contacts_read', kind: 'delay', times: 5 });
  const submitting = bo.submits('Save');
  await submitting;
  await bo.sees('Working on it');
  await bo.closes();
  slow.remove();
  await slow.release();
  await bo.opens('Dropline');
  await bo.sees('1 recipient saved.');
  expect(bo.screen()).not.toContain('Nothing was done');
});

test("a form that can't show all chosen recipients says how many are left out", async () => {
  const { bo, account, services, acme } = await setUpApp(postgres);
  account.contacts.local = Array.from({ length: 120 }, (_, number) => ({ email: `p${number}@example.org` }));
  const recipients = account.contacts.local.map(({ email }) => email);
  await changeDraft(services, { workspace: acme.id, person: bo.id }, () => ({ recipients }));
  const notice = 'This form shows only the first 100 of your choice. 20 more are left out';
  await bo.types('/drop recipients', { in: '#general' });
  await bo.sees(notice);
  await bo.closes();
  await bo.types('/drop send', { in: '#general' });
  await bo.sees(notice);
});
