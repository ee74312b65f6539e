import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { membersOf } from './send-many.ts';

const postgres = startTestPostgres();

test('more than 200 recipients are refused at their field', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.contacts.local = membersOf('everybody', 201);
  await stages(bo, [{ name: 'news.pdf', data: 'the news' }]);
  await bo.types('/drop send');
  await bo.picks('To', 'everybody');
  await bo.submits('Review');
  await bo.sees('Too many recipients (201; limit 200).');
  expect(account.drops).toEqual([]);
});

test('the review lists each of 130 recipients, for a send and for a request', async () => {
  const { bo, account, services, acme, anna } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  account.contacts.local = membersOf('choir', 130);
  await stages(bo, [{ name: 'score.pdf', data: 'the score' }]);
  await bo.types('/drop send');
  await bo.picks('To', 'choir');
  await bo.submits('Review');
  await bo.sees('choir129@example.org');
  for (const { email } of account.contacts.local) expect(bo.screen()).toContain(email);
  await bo.closes();
  await bo.reloads();
  await bo.types('/drop request', { in: '#general' });
  await bo.picks('Request from', 'choir');
  await bo.fills('Message', 'Your recordings, please');
  await bo.submits('Review');
  await bo.sees('choir129@example.org');
  for (const { email } of account.contacts.local) expect(bo.screen()).toContain(email);
});
