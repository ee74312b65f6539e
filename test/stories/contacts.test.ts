import { expect, test } from 'vitest';
import { connect } from '../../src/features/connect/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a member adds, edits and removes a contact, and comes back to a list that is current', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.contacts.global = [{ email: 'help@service.example', nick: 'Support' }];
  const [carl, , emil] = structuredClone(account.contacts.local);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.sees('3 contacts of your own, 1 contact of the service.');
  await bo.sees('Of the service: cannot be changed here');

  await bo.clicks('Add a contact');
  await bo.fills('E-mail address', 'CARL@example.org');
  await bo.fills('Name', 'Fia *bold* <!here>');
  await bo.submits('Add this contact');
  await bo.sees('There is a contact CARL@example.org already.');
  await bo.fills('E-mail address', 'fia@example.org');
  await bo.fills('Mobile number', '+46 (70) 99-99');
  await bo.picks('Groups', 'board');
  await bo.fills('New groups', 'press, law');
  await bo.submits('Add this contact');
  await bo.sees('Done: 1 contact added.');
  await bo.clicks('Back');
  await bo.sees('fia@example.org (Fia *bold* <!here>)');
  await bo.sees('46709999 · in board, press and law');

  await bo.clicks('Edit', { near: 'dora@example.net' });
  await bo.fills('Name', 'Dorothea');
  await bo.unpicks('Groups', 'board');
  await bo.submits('Save this contact');
  await bo.sees('Done: 1 contact changed.');
  await bo.clicks('Back');
  await bo.sees('dora@example.net (Dorothea)');

  await bo.clicks('Remove', { near: 'dora@example.net' });
  await bo.submits('Remove this contact');
  await bo.sees('Done: 1 contact removed.');
  await bo.clicks('Back');
  await bo.doesNotSee('dora@example.net');

  expect(account.contacts.local).toEqual([
    carl,
    emil,
    {
      email: 'fia@example.org',
      number: '46709999',
      nick: 'Fia *bold* <!here>',
      groups: ['board', 'press', 'law'],
    },
  ]);
  // Who waits in the modal is not told a second time.
  expect(bo.messages.filter(({ place }) => place === 'Dropline')).toEqual([]);
});

test('a contact is added by a typed line, and its end told in a message; a wrong part opens the form with what was typed', async () => {
  const { bo, account } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts add gert@example.org +46 70 123 45 “Gert of Acme”');
  await bo.sees('Adding gert@example.org. I send you a message when it is done.');
  await bo.opens('Dropline');
  await bo.sees('Adding gert@example.org. Done: 1 contact added.');
  expect(account.contacts.local.at(-1)).toEqual({
    email: 'gert@example.org',
    number: '467012345',
    nick: 'Gert of Acme',
  });

  await bo.types('/drop contacts add hanna 12345 Hanna');
  await bo.sees('This is not an e-mail address.');
  await bo.sees('Mobile number (optional): 12345');
  await bo.sees('Name (optional): Hanna');
  await bo.fills('E-mail address', 'hanna@example.org');
  await bo.submits('Add this contact');
  await bo.sees('Done: 1 contact added.');
  await bo.closes();

  await bo.types('/drop contacts add HANNA@example.org');
  await bo.sees('Nothing was changed. There is a contact HANNA@example.org already.');
  await bo.clicks('Open the form again');
  await bo.sees('E-mail address: HANNA@example.org');
  await bo.closes();

  await bo.types('/drop contacts add');
  await bo.sees('E-mail address: ‹anna@example.com›');
  await bo.closes();
  expect(account.contacts.local).toHaveLength(5);
});

test('ten thousand contacts are searched and turned page by page; without any, the first is asked for', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.contacts.local = Array.from({ length: 10_000 }, (_, number) => ({
    email: `p${String(number).padStart(4, '0')}@example.org`,
    nick: number === 4_711 ? 'José' : 'Somebody',
  }));
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.sees('10,000 contacts of your own.');
  await bo.sees('Page 1 of 1,000');
  await bo.clicks('Next page');
  await bo.sees('Page 2 of 1,000');
  await bo.sees('p0010@example.org');
  await bo.fills('Search', 'jose');
  await bo.submits('Search');
  await bo.sees('1 of 10,000 contacts matches “jose”.');
  await bo.sees('p4711@example.org (José)');
  await bo.clicks('Show all contacts');
  await bo.sees('Page 1 of 1,000');
  await bo.closes();
  await bo.types('/drop contacts p123');
  await bo.sees('10 of 10,000 contacts match “p123”.');
  await bo.closes();
  account.contacts.local = [];
  await bo.types('/drop contacts');
  await bo.sees('There are no contacts yet.');
});

test('a contact that was changed meanwhile is not edited over', async () => {
  const { bo, anna, account } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Edit', { near: 'emil@example.com' });
  await bo.fills('Name', 'Emil the second');
  await anna.opens('#general');
  await anna.types('/drop contacts');
  await anna.clicks('Edit', { near: 'emil@example.com' });
  await anna.fills('Mobile number', '46711111111');
  await anna.submits('Save this contact');
  await anna.sees('Done: 1 contact changed.');
  await bo.submits('Save this contact');
  await bo.sees('This contact was changed or removed meanwhile. Search for it again.');
  await bo.sees('Name (optional): Emil the second');
  expect(account.contacts.local[2]).toMatchObject({ number: '46711111111', nick: 'Emil' });
  await bo.clicks('Cancel');
  await bo.clicks('Remove', { near: 'emil@example.com' });
  await bo.sees('This contact was changed or removed meanwhile.');
  expect(account.contacts.local).toHaveLength(3);
});

test('a form that is delivered twice adds a contact once', async () => {
  const { bo, account, exchange, slack } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Add a contact');
  await bo.fills('E-mail address', 'fia@example.org');
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await bo.submits('Add this contact');
  await bo.sees('Done: 1 contact added.');
  await slack.settled();
  expect(account.contacts.local.map(({ email }) => email)).toEqual([
    'carl@example.org',
    'dora@example.net',
    'emil@example.com',
    'fia@example.org',
  ]);
  expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toHaveLength(1);
  expect(bo.messages.filter(({ place }) => place === 'Dropline')).toEqual([]);
});

test('a slow service keeps nobody waiting: Slack is answered in time, and whoever closed the form gets a message', async () => {
  const { bo, exchange, slack, account } = await setUpApp(postgres);
  await bo.opens('#general');
  const reading = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await bo.types('/drop contacts');
  await bo.sees('One moment …');
  await reading.struck;
  await reading.release();
  await bo.sees('carl@example.org');
  await bo.clicks('Add a contact');
  await bo.fills('E-mail address', 'fia@example.org');
  const writing = exchange.addFault({ operation: 'contacts_add', kind: 'delay' });
  await bo.submits('Add this contact');
  await bo.sees('Saving …');
  await writing.struck;
  await bo.closes();
  await writing.release();
  await bo.opens('Dropline');
  await bo.sees('Adding fia@example.org. Done: 1 contact added.');
  expect(account.contacts.local).toHaveLength(4);
  await slack.settled();
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
});

test('a form whose service does not answer in time is answered later, in its place', async () => {
  const { bo, exchange, slack, account } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Edit', { near: 'emil@example.com' });
  await bo.fills('Name', 'Emilia');
  const reading = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await bo.submits('Save this contact');
  await bo.sees('Working on it …');
  await reading.release();
  await bo.sees('Done: 1 contact changed.');
  expect(account.contacts.local[2]).toMatchObject({ nick: 'Emilia' });
  await slack.settled();
  expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
});

test('guests see no contacts and choose no receivers; whoever may not change them looks, and is refused when the right is lost', async () => {
  const { anna, bo, gus, acme, account, services } = await setUpApp(postgres);
  const said = 'Guests, bots and people of other organisations cannot use Dropline here.';
  await gus.opens('#general');
  for (const command of [
    '/drop contacts',
    '/drop contacts add x@example.org',
    '/drop receivers',
    '/drop receivers clear',
  ]) {
    await gus.types(command);
    await gus.sees(said);
    if (gus.client.modals.length > 0) await gus.closes();
    await gus.reloads();
  }
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Add a contact');
  await bo.fills('E-mail address', 'fia@example.org');
  const may = { send: 'everyone', request: 'everyone', download: 'everyone', contacts: 'admins' } as const;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { may });
  await bo.submits('Add this contact');
  await bo.sees('You may not change contacts in this workspace. Ask an admin');
  await bo.closes();
  await bo.types('/drop contacts');
  await bo.sees('You may look at contacts, not change them.');
  await bo.doesNotSee('Add a contact');
  await bo.doesNotSee('Remove');
  await bo.closes();
  await bo.types('/drop contacts add fia@example.org');
  await bo.sees('You may not change contacts in this workspace.');
  expect(account.contacts.local).toHaveLength(3);
});

test('a service that refuses the whole list is said to only add, by an admin; then contacts are added', async () => {
  const { anna, bo, account } = await setUpApp(postgres, {
    exchange: { behaviour: { contactsAdd: 'refuse-existing' } },
  });
  await bo.opens('Dropline');
  await bo.types('/drop contacts add fia@example.org');
  await bo.sees('Nothing was changed. The service refused the list');
  await bo.doesNotSee('This service only adds …');
  await anna.opens('#general');
  await anna.types('/drop contacts');
  await anna.clicks('Add a contact');
  await anna.fills('E-mail address', 'fia@example.org');
  await anna.submits('Add this contact');
  await anna.clicks('This service only adds …');
  await anna.confirms('It only adds');
  await anna.sees('From now on contacts are only added here.');
  await anna.closes();
  await bo.clicks('Open the form again');
  await bo.submits('Add this contact');
  await bo.sees('Done: 1 contact added.');
  await bo.closes();
  expect(account.contacts.local.map(({ email }) => email)).toContain('fia@example.org');
  await anna.types('/drop contacts');
  await anna.sees('This service only adds: change and remove contacts on the service itself.');
  await anna.doesNotSee('Remove |');
});

test('what another workspace has cannot be reached by its ids', async () => {
  const { bo, acme, slack, install, services, exchange, account } = await setUpApp(postgres);
  const other = slack.addWorkspace({ name: 'Other' });
  const mia = other.addPerson({ name: 'Mia', role: 'owner' });
  other.addChannel({ name: 'general', members: [mia] });
  await install(other, mia);
  const theirs = exchange.addAccount({ user: 'other@example.com', apiKey: 'k' });
  theirs.contacts.local = [{ email: 'secret@other.example', nick: 'Secret' }];
  const login = { baseUrl: exchange.url, username: 'other@example.com', apiKey: 'k' };
  await connect(services, { workspace: other.id, person: mia.id }, login);
  await mia.opens('#general');
  await mia.types('/drop contacts');
  await mia.clicks('Remove', { near: 'secret@other.example' });
  await mia.sees('for everybody');
  const theirForm = other.views.at(-1)?.body.private_metadata;

  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Remove', { near: 'carl@example.org' });
  await bo.sees('for everybody');
  const ourForm = acme.views.at(-1);
  expect(ourForm?.body.private_metadata).not.toEqual(theirForm);
  Object.assign(ourForm?.body ?? {}, { private_metadata: theirForm });
  await bo.submits('Remove this contact');
  await bo.sees('This contact was changed or removed meanwhile.');
  expect(theirs.contacts.local).toHaveLength(1);
  expect(account.contacts.local).toHaveLength(3);
});
