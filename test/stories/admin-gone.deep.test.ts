import { expect, test } from 'vitest';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { user } from '../helpers/exchange.ts';
import { sha256, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { sendWithUnknownOutcome, setUpDepartedAdmin } from './admin-gone.ts';

const postgres = startTestPostgres();

async function untilNotified({ store }: AppSetup['services']): Promise<void> {
  const notified = 'select from dropline.transfers where notified_at is not null';
  await until(async () => (await store.pool.query(notified)).rowCount || undefined, 'the sender to be notified');
}

test('if no admin can be reached, the sender is notified and the problem is logged', async () => {
  const app = await setUpDepartedAdmin(postgres, { exchange: { behaviour: { historyLag: 50 } }, installer: 'Olga' });
  const { anna, bo, services, logged } = app;
  await sendWithUnknownOutcome(app);
  await bo.sees('Delivery unconfirmed');
  await untilNotified(services);
  expect(logged()).toContain('no admin can be reached');
  expect(anna.messages.filter(({ destination }) => destination === 'Dropline')).toEqual([]);
});

test('if the sender can no longer be reached, an admin is notified of the outcome', async () => {
  const app = await setUpApp(postgres, { exchange: { behaviour: { historyLag: 50 } } });
  const { anna, bo, slack, exchange, services, logged } = app;
  await anna.opens('Dropline');
  await anna.sees('Hello!');
  const uploading = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sendWithUnknownOutcome(app);
  await uploading.triggered;
  await bo.sees('to carl@example.org');
  slack.addFault({ method: 'chat.update', kind: 'error', error: 'channel_not_found', times: 100 });
  slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'channel_not_found' });
  await uploading.release();
  await anna.sees("A transfer's delivery is unconfirmed.");
  await untilNotified(services);
  expect(logged()).toContain('person can no longer be reached');
});

test('a contact lost during an edit is restored, and people can edit contacts again', async () => {
  const { anna, bo, account, exchange } = await setUpDepartedAdmin(postgres);
  await bo.opens('#general');
  const adds = async (email: string) => {
    await bo.types('/drop contacts');
    await bo.clicks('Add contact');
    await bo.fills('Email', email);
    await bo.submits('Add');
  };
  const writing = exchange.addFault({ operation: 'contacts_add', kind: 'delay' });
  await adds('fia@example.org');
  await writing.triggered;
  const reading = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await writing.release();
  await reading.triggered;
  account.contacts.local = account.contacts.local.filter(({ email }) => email !== 'dora@example.net');
  await reading.release();
  await bo.sees('Contact added.');
  await bo.closes();
  await anna.opens('Dropline');
  await anna.sees('After an edit, these contacts were missing on the file service and were restored');
  await adds('gun@example.org');
  await bo.sees('Contact added.');
  expect(account.contacts.local.map(({ email }) => email)).toEqual(
    expect.arrayContaining(['dora@example.net', 'fia@example.org', 'gun@example.org']),
  );
});

test('a question about unexpected files goes to an admin who is still active', async () => {
  const { anna, bo, account } = await setUpDepartedAdmin(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await confirms(bo, 1);
  await bo.clicks('Ask an admin');
  await bo.sees('I asked @Anna.');
  await anna.opens('Dropline');
  await anna.sees('would be sent too');
});

test('without an inbox channel, an admin who is still active gets the new files', async () => {
  const { anna, exchange } = await setUpDepartedAdmin(postgres, { pollMs: 300 });
  await anna.opens('Dropline');
  await anna.sees('New files will be posted here.');
  await exchange.addInboxItem(user, { sender: 'carl@example.org', files: [{ name: 'plan.pdf', data: 'x' }] });
  await anna.sees('plan.pdf');
});

test("an alert isn't sent to the person who connected but is no longer an admin", async () => {
  const app = await setUpApp(postgres, { exchange: { behaviour: { historyLag: 50 } } });
  const { acme, anna, services } = app;
  const olga = acme.addPerson({ name: 'Olga' });
  const connection = await services.store.credentials.get({ workspace: acme.id });
  if (connection !== undefined) await services.store.credentials.set(acme.id, { ...connection, connectedBy: olga.id });
  await sendWithUnknownOutcome(app);
  await anna.opens('Dropline');
  await anna.sees("A transfer's delivery is unconfirmed.");
  expect(olga.messages.filter(({ destination }) => destination === 'Dropline')).toEqual([]);
});
