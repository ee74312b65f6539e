import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { type AppSetup, type AppSetupOptions, setUpApp } from '../helpers/app.ts';
import { user } from '../helpers/exchange.ts';
import { sha256, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { checks, confirms, stages } from '../helpers/sending.ts';

const postgres = startTestPostgres();

/** Olga, who connected the workspace, has left it; with her whoever installed the app, unless that was Anna. */
async function withoutOlga(options: AppSetupOptions & { installer?: 'Anna' | 'Olga' } = {}): Promise<AppSetup> {
  const app = await setUpApp(postgres, options);
  const { acme, services } = app;
  const { credentials } = services.store;
  const { installations } = services.slack;
  const olga = acme.addPerson({ name: 'Olga', role: 'owner', deactivated: true });
  const kept = await credentials.get(acme.id);
  if (kept !== undefined) await credentials.set(acme.id, { ...kept, connectedBy: olga.id });
  if (options.installer === 'Olga') {
    const installed = await installations.fetchInstallation({
      teamId: acme.id,
      enterpriseId: undefined,
      isEnterpriseInstall: false,
    });
    await installations.storeInstallation({ ...installed, user: { ...installed.user, id: olga.id } });
  }
  return app;
}

/** Nobody can tell whether it was sent: its answer is lost, its files have gone, and the history does not show it. */
async function sendsIntoTheDark({ bo, exchange }: AppSetup): Promise<void> {
  exchange.addFault({ operation: 'createdrop', kind: 'reset-after' });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await checks(bo);
  await confirms(bo, 1);
}

async function isOver({ store }: AppSetup['services']): Promise<void> {
  const told = 'select from dropline.dispatches where told_at is not null';
  await until(async () => (await store.pool.query(told)).rowCount || undefined, 'it to be over');
}

test('of a dispatch whose outcome nobody knows its sender learns, and another admin than the one who has left', async () => {
  const app = await withoutOlga({ exchange: { behaviour: { historyLag: 50 } } });
  const { anna, bo } = app;
  await sendsIntoTheDark(app);
  await bo.sees('Not known whether it was sent');
  await anna.opens('Dropline');
  await anna.sees('Nobody knows whether a dispatch was sent.');
});

test('an alarm does not reach the person who connected and is no admin any more', async () => {
  const app = await setUpApp(postgres, { exchange: { behaviour: { historyLag: 50 } } });
  const { acme, anna, services } = app;
  const olga = acme.addPerson({ name: 'Olga' });
  const kept = await services.store.credentials.get(acme.id);
  if (kept !== undefined) await services.store.credentials.set(acme.id, { ...kept, connectedBy: olga.id });
  await sendsIntoTheDark(app);
  await anna.opens('Dropline');
  await anna.sees('Nobody knows whether a dispatch was sent.');
  expect(olga.messages.filter(({ place }) => place === 'Dropline')).toEqual([]);
});

test('where no admin is left to be told, the sender still learns how it ended, and the log says so', async () => {
  const app = await withoutOlga({ exchange: { behaviour: { historyLag: 50 } }, installer: 'Olga' });
  const { anna, bo, services, logged } = app;
  await sendsIntoTheDark(app);
  await bo.sees('Not known whether it was sent');
  await isOver(services);
  expect(logged()).toContain('there is no admin who can be told');
  expect(anna.messages.filter(({ place }) => place === 'Dropline')).toEqual([]);
});

test('where it is the sender who has left, an admin is told all the same, and it is over', async () => {
  const app = await setUpApp(postgres, { exchange: { behaviour: { historyLag: 50 } } });
  const { anna, bo, slack, exchange, services, logged } = app;
  await anna.opens('Dropline');
  await anna.sees('Hello!');
  const uploading = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sendsIntoTheDark(app);
  await uploading.struck;
  await bo.sees('to carl@example.org');
  slack.addFault({ method: 'chat.update', kind: 'error', error: 'channel_not_found', times: 100 });
  slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'channel_not_found' });
  await uploading.release();
  await anna.sees('Nobody knows whether a dispatch was sent.');
  await isOver(services);
  expect(logged()).toContain('the person can be told nothing any more');
});

test('a refused key is told to an admin of the settings, and the polling pauses', async () => {
  const { acme, anna, bo, exchange, services } = await withoutOlga({ pollMs: 300 });
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { admins: [bo.id] });
  exchange.account(user).apiKey = 'another key';
  await bo.opens('Dropline');
  await bo.sees('The file service refuses the key of this workspace.');
  const paused = 'select from dropline.polls where paused_at is not null';
  await until(async () => (await services.store.pool.query(paused)).rowCount || undefined, 'the pause');
  expect(bo.messages.filter(({ text }) => text.includes('refuses the key'))).toHaveLength(1);
});

test('an edit on whose way a contact was lost is settled, and the next one is done', async () => {
  const { anna, bo, account, exchange } = await withoutOlga();
  await bo.opens('#general');
  const adds = async (email: string) => {
    await bo.types('/drop contacts');
    await bo.clicks('Add a contact');
    await bo.fills('E-mail address', email);
    await bo.submits('Add this contact');
  };
  const writing = exchange.addFault({ operation: 'contacts_add', kind: 'delay' });
  await adds('fia@example.org');
  await writing.struck;
  const reading = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await writing.release();
  await reading.struck;
  account.contacts.local = account.contacts.local.filter(({ email }) => email !== 'dora@example.net');
  await reading.release();
  await bo.sees('Done: 1 contact added.');
  await bo.closes();
  await anna.opens('Dropline');
  await anna.sees('After an edit these contacts were missing on the file service and were put back');
  await adds('gun@example.org');
  await bo.sees('Done: 1 contact added.');
  expect(account.contacts.local.map(({ email }) => email)).toEqual(
    expect.arrayContaining(['dora@example.net', 'fia@example.org', 'gun@example.org']),
  );
});

test('whom a member asks about foreign files is an admin who is still there', async () => {
  const { anna, bo, account } = await withoutOlga();
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await checks(bo);
  await confirms(bo, 1);
  await bo.clicks('Ask an admin');
  await bo.sees('I have asked @Anna.');
  await anna.opens('Dropline');
  await anna.sees('would be sent along');
});

test('new files for which there is no channel are announced to an admin who is still there', async () => {
  const { anna, exchange } = await withoutOlga({ pollMs: 300 });
  await anna.opens('Dropline');
  await anna.sees('Incoming files are announced here from now on.');
  await exchange.addInboxItem(user, { sender: 'carl@example.org', files: [{ name: 'plan.pdf', data: 'x' }] });
  await anna.sees('plan.pdf');
});
