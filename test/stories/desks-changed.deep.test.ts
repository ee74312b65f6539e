import { expect, test } from 'vitest';
import { chooseDesk } from '../../src/features/settings/membership.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { accountKey } from '../../src/store/index.ts';
import { addLegal, legalUser } from '../helpers/desks.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Connects Legal, which Anna then uses. */
async function addLegalAndUse(app: Awaited<ReturnType<typeof setUpInboxApp>>) {
  const added = await addLegal(app, [app.anna]);
  const { services, acme, anna } = app;
  await chooseDesk(services, { workspace: acme.id, person: anna.id }, accountKey(added.desk.account));
  return added;
}

/** The names of the connected accounts. */
const usersOf = async ({ services, acme }: Awaited<ReturnType<typeof setUpInboxApp>>) =>
  [...(await services.store.credentials.list(acme.id)).values()]
    .filter(({ leavingSince }) => leavingSince === undefined)
    .map(({ username }) => username);

test('a disconnect that was opened with one account is of that account', async () => {
  const app = await setUpInboxApp(postgres);
  const { anna } = app;
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.sees(`Connected as ${user}.`);
  await addLegalAndUse(app);
  await anna.clicks('Disconnect…');
  await anna.clicks('Disconnect');
  await anna.sees('Disconnecting.');
  await until(async () => (String(await usersOf(app)) === legalUser ? true : undefined), 'only Legal to be left');
});

test('a desk that is gone is not disconnected, nor another one instead of it', async () => {
  const app = await setUpInboxApp(postgres);
  const { anna, services, acme } = app;
  const { desk } = await addLegal(app, [anna]);
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.clicks('Disconnect…', { near: 'Legal' });
  await anna.sees('Connected as Legal.');
  await services.store.credentials.delete(desk);
  await anna.clicks('Disconnect…');
  await anna.clicks('Disconnect');
  await anna.sees("The account isn't connected any more.");
  expect(await usersOf(app)).toEqual([user]);
  expect(await services.store.credentials.list(acme.id)).toHaveProperty('size', 1);
});

test('a form that was opened with one account changes that account', async () => {
  const app = await setUpInboxApp(postgres);
  const { anna, services, acme } = app;
  const account = (await services.store.credentials.accountOf({ workspace: acme.id })) ?? '';
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change sending');
  const { desk } = await addLegalAndUse(app);
  await anna.fills('Default message', 'Kind regards');
  await anna.submits('Save');
  await anna.sees('Saved.');
  expect(await readSettings(services, { workspace: acme.id, account })).toMatchObject({ message: 'Kind regards' });
  expect(await readSettings(services, desk)).toMatchObject({ message: '' });
});

test('what was typed for another account is not offered for the only one', async () => {
  const { anna, acme, exchange } = await setUpInboxApp(postgres);
  acme.addChannel({ name: 'legal', kind: 'private', members: [anna, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Connected accounts');
  await anna.clicks('Connect another account');
  await anna.fills('Name', 'Legal');
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', legalUser);
  await anna.fills('API key', 'wrong');
  await anna.picks('Channel for incoming files', 'legal');
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees('API key');
  await anna.closes();
  await anna.types('/drop connect');
  await anna.sees(`Account email: ${user}`);
  await anna.doesNotSee(legalUser);
});

test('only members of a desk are told that its settings were weakened', async () => {
  const app = await setUpInboxApp(postgres);
  const { acme, anna, bo, services } = app;
  const dan = acme.addPerson({ name: 'Dan' });
  await app.changeSettings({ admins: [bo.id, dan.id] });
  const { desk } = await addLegal(app, [anna, dan]);
  const admin = { ...desk, person: anna.id };
  await changeSettings(services, admin, { recipientDomains: ['law.example'] });
  await changeSettings(services, admin, { recipientDomains: ['law.example', 'target.example'] });
  await dan.opens('Dropline');
  await dan.sees('target.example');
  await app.untilIdle();
  await bo.opens('Dropline');
  expect(bo.screen()).not.toContain('target.example');
});

test('a desk keeps a channel for everything else', async () => {
  const app = await setUpInboxApp(postgres);
  const { anna, bo, services } = app;
  const { desk } = await addLegal(app, [anna]);
  await expect(changeSettings(services, { ...desk, person: anna.id }, { inboxChannels: [] })).rejects.toThrow(
    'A desk needs a channel for everything else.',
  );
  await bo.types('/drop contacts', { in: '#general' });
  await bo.doesNotSee('Lena');
});

test('an admin can choose another channel for a desk whose channel is archived', async () => {
  const app = await setUpInboxApp(postgres);
  const { anna, acme, services } = app;
  const { desk, legal } = await addLegal(app, [anna]);
  const next = acme.addChannel({ name: 'law', kind: 'private', members: [anna, 'app'] });
  legal.archive();
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.clicks('Change URL or key…', { near: 'Legal' });
  await anna.fills('API key', apiKey);
  await anna.picks('Channel for incoming files', 'law');
  await anna.submits('Test and connect');
  await anna.sees('onnected to the file service as');
  const { inboxChannels } = await readSettings(services, desk);
  expect(inboxChannels.map(({ channel }) => channel)).toEqual([next.id]);
});
