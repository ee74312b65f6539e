import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a contact table is previewed and imported once, and skipped rows are listed', async () => {
  const { bo, account, exchange, slack } = await setUpApp(postgres);
  account.contacts.global = [{ email: 'help@service.example' }];
  const [, dora, emil] = structuredClone(account.contacts.local);
  const invalidRows = Array.from({ length: 12 }, (_, number) => `wrong${number};;`).join('\r\n');
  const table = `E-mail;Name;Groups\r\nfia@example.org;Fia;press|law\r\ncarl@example.org;Carlo;\r\nemil@example.com;Emil;\r\nhelp@service.example;x;\r\n${invalidRows}\r\n`;
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Import');
  await bo.attaches('CSV file', [{ name: 'people.csv', data: table }]);
  await bo.submits('Preview import');
  await bo.sees('1 new contact');
  await bo.sees('1 contact to change');
  await bo.sees('1 contact unchanged');
  await bo.sees('skipped: help@service.example');
  await bo.sees('12 rows skipped');
  await bo.sees('Line 6: “wrong0”: Enter a valid email address');
  await bo.sees('and 2 more');
  expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toEqual([]);
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await bo.submits('Import 1 new, change 1');
  await bo.sees('1 contact added and 1 contact changed.');
  await slack.untilIdle();
  expect(account.contacts.local).toEqual([
    { email: 'carl@example.org', number: '46700000001', nick: 'Carlo', groups: ['board'] },
    dora,
    emil,
    { email: 'fia@example.org', nick: 'Fia', groups: ['press', 'law'] },
  ]);
  expect(exchange.calls.filter(({ operation }) => operation === 'contacts_add')).toHaveLength(1);
});

test('an import shows old and new values, new addresses, and what it leaves out', async () => {
  const { anna, bo } = await setUpApp(postgres);
  const added = Array.from({ length: 12 }, (_, number) => `new${number}@example.org,,,\r\n`).join('');
  const table = `email,mobile,name,shoe *size*\r\nemil@example.com,,Emil E,43\r\ncarl@example.org,+46 70 999 99 99,Carl,\r\nfia@example.org,070-123 45 67,Fia,\r\n${added}`;
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Import');
  await bo.attaches('CSV file', [{ name: 'people.csv', data: table }]);
  await bo.submits('Preview import');
  await bo.sees('carl@example.org');
  await bo.sees('mobile number 46700000001 → 46709999999');
  await bo.sees('name Emil → Emil E');
  await bo.sees('Ignored columns: “shoe *size*”');
  await bo.sees('Line 4: “070-123 45 67”: Start with the country code, like 46.');
  await bo.sees('new9@example.org');
  await bo.sees('and 2 more');
  await bo.doesNotSee('new10@example.org');
  await bo.submits('Import 12 new, change 2');
  await bo.sees('12 contacts added and 2 contacts changed.');
  await bo.closes();
  await anna.opens('#general');
  await anna.types('/drop audit');
  await anna.sees('carl@example.org: mobile number “46700000001” → “46709999999”');
  await anna.closes();
  await anna.types('/drop contacts carl@example.org');
  await anna.sees(/Changed .* by @Bo: mobile number 46700000001 → 46709999999/);
  await anna.closes();
  await anna.types('/drop send');
  await anna.picks('To', 'carl');
  await anna.attaches('Files', [{ name: 'plan.pdf', data: 'the plan' }]);
  await anna.submits('Review');
  await anna.sees(/changed by @Bo on .*: mobile number 46700000001 → 46709999999/);
});

test('exported contacts arrive as a file in a DM, and importing it changes nothing', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.contacts.local.push({ email: 'eve@example.org', nick: '=HYPERLINK("http://evil")', groups: ['a', 'b'] });
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Export');
  await bo.sees("I'll send you the CSV in a direct message.");
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('the contacts of this workspace as CSV');
  const name = /contacts-[\d-]+\.csv/.exec(bo.screen())?.[0] ?? '';
  const data = await (await bo.downloads(name)).read();
  expect(data.toString()).toContain(`eve@example.org,,,a|b,"'=HYPERLINK(""http://evil"")"`);
  await bo.types('/drop contacts', { in: '#general' });
  await bo.clicks('Import');
  await bo.attaches('CSV file', [{ name, data }]);
  await bo.submits('Preview import');
  await bo.sees('4 contacts unchanged');
  await bo.sees('Nothing to import.');
});

test('a group is created, joined and left, and disappears with its last member', async () => {
  const { bo, account } = await setUpApp(postgres);
  const groupsOf = (email: string) => account.contacts.local.find((contact) => contact.email === email)?.groups;
  await bo.opens('#general');
  await bo.types('/drop contacts');
  await bo.clicks('Groups', { near: 'Import' });
  await bo.sees('Empty groups are deleted.');
  await bo.clicks('New group');
  await bo.fills('Group name', 'press');
  await bo.picks('Add contacts', 'Emil');
  await bo.submits('Create');
  await bo.sees('Contact changed.');
  await bo.clicks('Back');
  await bo.clicks('Open group press');
  await bo.sees('1 member');
  await bo.picks('Add contacts', 'carl@');
  await bo.submits('Add members');
  await bo.sees('Contact changed.');
  expect([groupsOf('emil@example.com'), groupsOf('carl@example.org')]).toEqual([['press'], ['board', 'press']]);
  await bo.clicks('Back');
  await bo.clicks('Open group press');
  await bo.clicks('Remove carl@example.org');
  await bo.declines('Cancel');
  await bo.clicks('Remove carl@example.org');
  await bo.confirms('Remove');
  await bo.sees('Contact changed.');
  await bo.clicks('Back');
  await bo.clicks('Back');
  await bo.clicks('Groups', { near: 'emil@example.com' });
  await bo.sees('Groups');
  await bo.unpicks('Groups', 'press');
  await bo.submits('Save');
  await bo.sees('Contact changed.');
  await bo.clicks('Back');
  await bo.clicks('Groups', { near: 'Import' });
  await bo.sees('2 members');
  await bo.doesNotSee('press');
  expect([groupsOf('emil@example.com'), groupsOf('carl@example.org')]).toEqual([[], ['board']]);
});
