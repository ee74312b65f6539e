import { expect, test } from 'vitest';
import { changeContacts } from '../../../src/features/contacts/edit/operations.ts';
import { exportContacts, previewImport } from '../../../src/features/contacts/import/operations.ts';
import { parseContact } from '../../../src/features/contacts/list/fields.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { done, setUpContacts } from '../../helpers/contacts.ts';
import { failureOf } from '../../helpers/exchange.ts';
import { admin, anna } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('an import shows a preview, adds and updates contacts, and never removes any', async () => {
  const { account, services, change, startWorker, writes } = await setUpContacts(postgres);
  account.contacts.global.push({ email: 'global@example.org' });
  await startWorker();
  const [carl, dora, emil] = structuredClone(account.contacts.local);
  const text = [
    '\uFEFFE-Mail;Number;Nickname',
    'CARL@example.org;+46 70 999;"Carl; the first"',
    'dora@example.net;46700000002;',
    'new@example.org;;New',
    'Global@example.org;;',
    'nonsense;;',
  ].join('\r\n');
  const { contacts, ...preview } = await previewImport(services, anna, text);
  expect(preview).toMatchObject({
    added: [{ email: 'new@example.org' }],
    updated: [{ from: { nick: 'Carl' }, to: { nick: 'Carl; the first' } }],
    unchanged: 1,
    skipped: ['Global@example.org'],
    problems: [{ line: 6, message: expect.stringContaining('Enter a valid email address') }],
  });
  expect(writes()).toEqual([]);
  expect(await change(anna, { kind: 'import', contacts })).toEqual(done({ added: 1, updated: 1 }));
  const changed = { ...carl, number: '4670999', nick: 'Carl; the first' };
  expect(account.contacts.local).toEqual([changed, dora, emil, { email: 'new@example.org', nick: 'New' }]);
  expect(account.contacts.global).toEqual([{ email: 'global@example.org' }]);
  expect(await change(anna, { kind: 'import', contacts })).toEqual(done());
  expect(writes()).toHaveLength(1);
});

test('the audit entry of an import lists at most 50 addresses', async () => {
  const { services, store, change, startWorker } = await setUpContacts(postgres);
  await startWorker();
  const rows = Array.from({ length: 60 }, (_, number) => `p${number}@example.org`);
  const { contacts } = await previewImport(services, anna, ['email', ...rows].join('\n'));
  expect(await change(anna, { kind: 'import', contacts })).toEqual(done({ added: 60 }));
  const [entry] = (await store.audit.list('T1')).filter(({ action }) => action === 'contacts import');
  const listed = [...rows.slice(0, 50), { omitted: 10 }];
  expect(entry?.details).toMatchObject({ contacts: listed, changes: listed });
});

test('importing an export changes no contact, even with spreadsheet formulas', async () => {
  const { account, services, store, change, startWorker, writes } = await setUpContacts(postgres);
  await startWorker();
  account.contacts.local = [
    { email: 'evil@example.org', nick: "=cmd|' /C calc'!A0", groups: [';=1+1', 'a|b'], number: '+46 70 123' },
    { email: '=1@example.org', number: 46701234567, language: ' sv ', nick: "'quoted", since: 1999 },
    { email: 'plain@example.org', groups: null },
  ];
  const before = structuredClone(account.contacts.local);
  const table = await exportContacts(services, anna);
  expect(table.split('\r\n')).toEqual([
    '\uFEFFemail,number,language,groups,nick',
    `evil@example.org,"'+46 70 123",,";'=1+1|a|b","'=cmd|' /C calc'!A0"`,
    `"'=1@example.org",46701234567," sv ",,"'quoted"`,
    'plain@example.org,,,,',
    '',
  ]);
  const { contacts, ...preview } = await previewImport(services, anna, table);
  expect(preview).toMatchObject({ added: [], updated: [], unchanged: 3, skipped: [], problems: [] });
  expect(await change(anna, { kind: 'import', contacts })).toEqual(done());
  expect(writes()).toEqual([]);
  expect(account.contacts.local).toEqual(before);
  const [exported] = await store.audit.list('T1', { action: 'contacts export' });
  expect(exported).toMatchObject({ person: anna.person, outcome: 'done', details: { rows: 3 } });
});

test('a number without a country code that the service already has stays as it is', async () => {
  const { account, services, change, startWorker } = await setUpContacts(postgres);
  await startWorker();
  account.contacts.local = [
    { email: 'old@example.org', number: '0701234567' },
    { email: 'odd@example.org', number: '+46 (0)70-123 45 67' },
  ];
  const table = (await exportContacts(services, anna)).replace('nick', 'name').replace(/0701234567,,,/, '$&Old');
  const { contacts, ...preview } = await previewImport(services, anna, table);
  expect(preview).toMatchObject({ unchanged: 1, problems: [] });
  expect(await change(anna, { kind: 'import', contacts })).toEqual(done({ updated: 1 }));
  expect(account.contacts.local).toEqual([
    { email: 'old@example.org', number: '0701234567', nick: 'Old' },
    { email: 'odd@example.org', number: '+46 (0)70-123 45 67' },
  ]);
});

test('exporting and importing contacts need the permission to edit them', async () => {
  const { services, store, queue } = await setUpContacts(postgres);
  await changeSettings(services, admin, { contactEditors: [] });
  expect(await failureOf(exportContacts(services, anna))).toMatchObject({ code: 'not-allowed' });
  expect(await failureOf(previewImport(services, anna, 'email\n'))).toMatchObject({ code: 'not-allowed' });
  const imported = { kind: 'import' as const, contacts: [parseContact({ email: 'x@example.org' })] };
  expect(await failureOf(changeContacts(services, anna, imported))).toMatchObject({ code: 'not-allowed' });
  expect(await queue.size()).toBe(0);
  const [refused] = await store.audit.list('T1', { action: 'contacts export' });
  expect(refused).toMatchObject({ outcome: 'not-allowed' });
});
