import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a member adds, edits and removes a contact, and the list stays current', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.contacts.global = [{ email: 'help@service.example', nick: 'Support' }];
  const [carl, , emil] = structuredClone(account.contacts.local);
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.sees('4 contacts, 1 of them managed by the service.');
  await bo.sees('Managed by the service');

  await bo.clicks('Add contact');
  await bo.fills('Email', 'CARL@example.org');
  await bo.fills('Name', 'Fia *bold* <!here>');
  await bo.submits('Add');
  await bo.sees('CARL@example.org is already a contact.');
  await bo.fills('Email', 'fia@example.org');
  await bo.fills('Mobile number', '+46 (70) 99-99');
  await bo.picks('Groups', 'board');
  await bo.fills('New groups', 'press, law');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await bo.clicks('Back');
  await bo.sees('fia@example.org (Fia *bold* <!here>)');
  await bo.sees('Mobile 46709999 · in board, press and law');

  await bo.clicks('Edit', { near: 'dora@example.net' });
  await bo.fills('Name', 'Dorothea');
  await bo.unpicks('Groups', 'board');
  await bo.submits('Save');
  await bo.sees('Contact changed.');
  await bo.clicks('Back');
  await bo.sees('dora@example.net (Dorothea)');

  await bo.clicks('Remove', { near: 'dora@example.net' });
  await bo.submits('Remove');
  await bo.sees('Contact removed.');
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
  // The modal showed the outcome, so no DM repeats it.
  expect(bo.messages.filter(({ destination }) => destination === 'Dropline')).toEqual([]);
});

test('a contact added by command is confirmed in a DM; an invalid one opens the form', async () => {
  const { bo, account } = await setUpApp(postgres);
  await bo.opens('#general');
  await bo.types('/drop contacts add gert@example.org +46 70 123 45 “Gert of Acme”');
  await bo.sees('Adding gert@example.org…');
  await bo.opens('Dropline');
  await bo.sees('Adding gert@example.org. Contact added.');
  expect(account.contacts.local.at(-1)).toEqual({
    email: 'gert@example.org',
    number: '467012345',
    nick: 'Gert of Acme',
  });

  await bo.types('/drop contacts add hanna 12345 Hanna');
  await bo.sees('Enter a valid email address');
  await bo.sees('Mobile number (optional): 12345');
  await bo.sees('Name (optional): Hanna');
  await bo.fills('Email', 'hanna@example.org');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await bo.closes();

  await bo.types('/drop contacts add HANNA@example.org');
  await bo.sees('Nothing was changed. HANNA@example.org is already a contact.');
  await bo.clicks('Edit and retry');
  await bo.sees('Email: HANNA@example.org');
  await bo.closes();

  await bo.types('/drop contacts add ida@example.org 070-123 45 67 Ida');
  await bo.sees('Start with the country code, like 46.');
  await bo.submits('Add');
  await bo.sees('Start with the country code, like 46.');
  await bo.fills('Mobile number', '+46 (0)70-123 45 67');
  await bo.submits('Add');
  await bo.sees('Contact added.');
  await bo.closes();
  expect(account.contacts.local.at(-1)).toEqual({ email: 'ida@example.org', number: '46701234567', nick: 'Ida' });

  await bo.types('/drop contacts add');
  await bo.sees('Email: ‹anna@example.com›');
  await bo.closes();
  expect(account.contacts.local).toHaveLength(6);
});
