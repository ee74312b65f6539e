import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { changeContacts } from '../../src/features/contacts/edit/operations.ts';
import { parseContact } from '../../src/features/contacts/list/fields.ts';
import { contactsOf } from '../../src/features/contacts/list/operations.ts';
import { pause } from '../../src/features/pause/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { bounds } from '../../src/lib/bounds.ts';
import { SeveralAccountsError } from '../../src/store/index.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, anna, until } from '../helpers/features.ts';
import { type InboxSetup, setUpInbox } from '../helpers/inbox.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const legalUser = 'legal@example.com';

/** T1 with its first account and another one. */
async function setUpDesks() {
  const setup = await setUpInbox(postgres);
  const { server, services, sourceFiles } = setup;
  const legalAccount = server.addAccount({ user: legalUser, apiKey });
  legalAccount.contacts.local = [{ email: 'lena@example.org', number: '46700000009', nick: 'Lena', groups: [] }];
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const add = (username: string, desk: string) =>
    connect(services, admin, { baseUrl: server.url, username, apiKey, inboxChannel: 'C-legal', desk });
  const { account } = await add(legalUser, 'Legal');
  await setup.poll();
  await setup.untilDrained();
  setup.takeNewPosts();
  const [first, legal] = [`${server.url}/${user}`, account];
  return {
    ...setup,
    legalAccount,
    add,
    first: { workspace: 'T1', account: first },
    legal: { workspace: 'T1', account: legal },
  };
}

const addressesOf = async ({ services }: InboxSetup, desk: { workspace: string; account: string }) =>
  (await contactsOf(services, desk, { fresh: true })).local.map(({ email }) => email);

test('two accounts of a workspace have their own contacts, settings and pauses', async () => {
  const setup = await setUpDesks();
  const { services, first, legal, untilDrained } = setup;
  const contact = parseContact({ email: 'new@example.org' });
  await changeContacts(services, { ...admin, ...legal }, { kind: 'add', contacts: [contact] });
  await changeSettings(services, { ...admin, ...legal }, { message: 'From Legal', admins: ['U7'] });
  await pause(services, { ...admin, ...legal }, 'sending', 'Audit');
  await untilDrained();
  expect(await addressesOf(setup, legal)).toEqual(['lena@example.org', 'new@example.org']);
  expect(await addressesOf(setup, first)).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com']);
  expect(await readSettings(services, legal)).toMatchObject({ message: 'From Legal', admins: ['U7'] });
  expect(await readSettings(services, first)).toMatchObject({ message: '', admins: ['U7'] });
  const draft = { files: ['F1'], recipients: ['carl@example.org'] };
  expect(await setup.send({ ...anna, ...first }, draft)).toMatchObject({ state: 'sent' });
  await expect(setup.send({ ...anna, ...legal }, { ...draft, recipients: ['lena@example.org'] })).rejects.toMatchObject(
    {
      code: 'paused',
    },
  );
});

test('each account sends from itself and posts in its own channel', async () => {
  const setup = await setUpDesks();
  const { services, account, legalAccount, first, legal, arrive, pollAndAnnounce } = setup;
  await changeSettings(services, { ...admin, ...first }, { inboxChannels: [] });
  const draft = { files: ['F1'], recipients: ['lena@example.org'] };
  expect(await setup.send({ ...anna, ...legal }, draft)).toMatchObject({ state: 'sent', account: legal.account });
  await expect(setup.send({ ...anna, ...first }, draft)).rejects.toMatchObject({ code: 'not-found' });
  expect([account.drops.length, legalAccount.drops.length]).toEqual([0, 1]);
  await arrive('carl@example.org', ['a.pdf']);
  await arrive('lena@example.org', ['b.pdf'], legalUser);
  const posts = await pollAndAnnounce();
  expect(posts.map(({ items, channel }) => [items[0]?.files[0], channel]).sort()).toEqual([
    ['a.pdf', undefined],
    ['b.pdf', 'C-legal'],
  ]);
});

test('disconnecting one account leaves the other as it was', async () => {
  const setup = await setUpDesks();
  const { services, store, first, legal, arrive, pollAndAnnounce } = setup;
  await arrive('lena@example.org', ['b.pdf'], legalUser);
  await setup.send({ ...anna, ...first }, { files: ['F1'], recipients: ['carl@example.org'] });
  await pollAndAnnounce();
  await disconnect(services, { ...admin, ...legal });
  await until(async () => ((await store.credentials.get(legal)) === undefined ? true : undefined), 'the account to go');
  for (const table of ['polls', 'transfers', 'inbox_items', 'pauses', 'contact_edits']) {
    const { rows } = await store.pool.query(`select distinct account from dropline.${table}`);
    expect(
      rows.filter(({ account }) => account !== first.account),
      table,
    ).toEqual([]);
  }
  expect(await readSettings(services, legal)).toMatchObject({ inboxChannels: [] });
  await arrive('carl@example.org', ['c.pdf']);
  expect(await pollAndAnnounce()).toMatchObject([{ items: [{ files: ['c.pdf'] }] }]);
  expect(await setup.send({ ...anna, ...first }, { files: ['F1'], recipients: ['carl@example.org'] })).toMatchObject({
    state: 'sent',
  });
});

test('what names no account is refused where a workspace has several', async () => {
  const { services } = await setUpDesks();
  await expect(contactsOf(services, { workspace: 'T1' })).rejects.toBeInstanceOf(SeveralAccountsError);
  await expect(readSettings(services, { workspace: 'T1' })).rejects.toBeInstanceOf(SeveralAccountsError);
});

test('an account or a name is connected once, and a workspace has at most 20', async () => {
  const { server, add, store } = await setUpDesks();
  expect(await failureOf(add(legalUser, 'Other'))).toMatchObject({ code: 'invalid', field: 'username' });
  server.addAccount({ user: 'third@example.com', apiKey });
  expect(await failureOf(add('third@example.com', 'LEGAL'))).toMatchObject({ code: 'invalid', field: 'desk' });
  for (let number = 2; number < bounds.desks; number += 1) {
    const username = `desk${number}@example.com`;
    await store.credentials.set('T1', {
      ...{ baseUrl: server.url, username, apiKey, name: `Desk ${number}` },
      ...{ connectedBy: admin.person, connectedAt: Date.now() },
    });
  }
  expect(await failureOf(add('third@example.com', 'Third'))).toMatchObject({ message: expect.stringContaining('20') });
});
