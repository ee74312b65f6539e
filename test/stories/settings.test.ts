import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("permissions apply as soon as an admin saves them, and can't include guests", async () => {
  const { anna, bo, gus, acme, services } = await setUpApp(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change permissions');
  expect(anna.screen()).not.toContain('People who can');
  await anna.sees('No effect now: file requests are off.');
  await anna.picks('Additional admins', bo.name);
  await anna.picks('Who can send files?', 'Admins and selected people');
  await anna.sees('People who can send files (optional): ');
  await anna.sees('Additional admins (optional): Bo');
  await anna.unpicks('Additional admins', bo.name);
  await anna.submits('Save');
  await anna.sees('Select a person here or a channel below');
  await anna.picks('People who can send files', gus.name);
  await anna.submits('Save');
  await anna.sees('Remove them from this list');
  await anna.unpicks('People who can send files', gus.name);
  await anna.picks('Who can send files?', 'Admins only');
  await anna.doesNotSee('People who can');
  await anna.submits('Save');
  await anna.sees('Only admins can send files.');
  await bo.types('/drop history', { in: '#general' });
  await bo.sees("You can't send files in this workspace. An admin can allow it in the settings.");
  await bo.closes();

  await anna.clicks('Change permissions');
  await anna.picks('Additional admins', bo.name);
  await anna.submits('Save');
  await anna.sees('File requests are off. Additional admins: @Bo.');
  await bo.types('/drop settings', { in: '#general' });
  await bo.clicks('Change service options');
  await bo.sees('so test it with one contact before people use it.');
  await bo.picks('File requests', 'On');
  await bo.submits('Save');
  await bo.sees('File requests are on.');
  await bo.doesNotSee('File requests are off');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({ requests: true, senders: 'admins' });
});

test('settings validate numbers and domains at their fields, and other input stays', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change sending');
  await anna.fills('Allowed domains', 'example.com not/a/domain');
  await anna.submits('Save');
  await anna.sees("“not/a/domain” isn't a valid domain, like example.com.");
  await anna.fills('Allowed domains', 'example.com, @Example.ORG');
  await anna.submits('Save');
  await anna.clicks('Change expiry');
  await anna.picks('Expiry is counted in', 'hours');
  await anna.fills('Default expiry', 'a week');
  await anna.fills('Maximum expiry', '12');
  await anna.submits('Save');
  await anna.sees('Enter a whole number of 1 or more.');
  await anna.fills('Default expiry', '24');
  await anna.submits('Save');
  await anna.sees('The default expiry is longer than the maximum.');
  await anna.fills('Maximum expiry', '48');
  await anna.submits('Save');
  await anna.sees('Transfers expire after 24 hours, at most 48 hours.');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({
    expiryUnit: 'hours',
    expiryDefault: 24,
    expiryLongest: 48,
    recipientDomains: ['example.com', 'example.org'],
  });
});

test("two admins whose forms are open at the same time don't overwrite each other", async () => {
  const { anna, acme, services, slack } = await setUpApp(postgres);
  const otto = acme.addPerson({ name: 'Otto', role: 'admin' });
  acme.addChannel({ name: 'admins', members: [anna, otto] });
  for (const admin of [anna, otto]) {
    await admin.types('/drop settings', { in: '#admins' });
    await admin.clicks('Change expiry');
    await admin.sees('Default expiry');
  }
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await anna.fills('Default expiry', '5');
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  await otto.fills('Default expiry', '9');
  await otto.fills('Maximum expiry', '30');
  await otto.submits('Save');
  await otto.sees('Default expiry was changed by someone else. Open the settings again.');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({ expiryDefault: 5 });
  expect(await readSettings(services, { workspace: acme.id })).not.toHaveProperty('expiryLongest');
  // Otto's form opened with 7, so the field counts as unchanged: Anna's 5 stays and the maximum is saved.
  await otto.fills('Default expiry', '7');
  await otto.submits('Save');
  await otto.sees('✅ Saved.');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({ expiryDefault: 5, expiryLongest: 30 });
  const { rows } = await services.store.pool.query("select outcome from dropline.audit where action = 'settings'");
  expect(rows.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'done', 'done']);
});

test("members and guests see no settings, and a former admin can't save them", async () => {
  const { anna, bo, gus, acme, services } = await setUpApp(postgres);
  await bo.types('/drop settings', { in: '#general' });
  await bo.sees('Only admins can do this.');
  await gus.types('/drop settings', { in: '#general' });
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
  const change = (admins: string[]) => changeSettings(services, { workspace: acme.id, person: anna.id }, { admins });
  await change([bo.id]);
  await bo.closes();
  await bo.types('/drop settings');
  await bo.clicks('Change service options');
  await bo.picks('File requests', 'On');
  await change([]);
  await bo.submits('Save');
  await bo.sees('Only admins can do this.');
  expect((await readSettings(services, { workspace: acme.id })).requests).toBe(false);
});

test('a page says who changed its settings and when, and which differ from the default', async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { admins: [bo.id] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change expiry');
  expect(anna.screen()).not.toMatch(/@Anna changed|Changed from the default/);
  await anna.fills('Maximum expiry', '30');
  await anna.fills('Default expiry', '9');
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  await bo.types('/drop settings', { in: '#general' });
  await bo.clicks('Change expiry');
  await bo.sees(/== Expiry ==\s+Transfers expire after 9 \(unit unknown\), at most 30/);
  await bo.sees(/@Anna changed default expiry and maximum expiry on .*\d\./);
  await bo.sees('Changed from the default: no limit.');
  await bo.sees('Changed from the default: 7.');
  await bo.fills('Maximum expiry', '20');
  await bo.submits('Save');
  await bo.clicks('Change expiry');
  await bo.sees(/@Bo changed maximum expiry on .*\n+.*@Anna changed default expiry on /);
});
