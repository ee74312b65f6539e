import { expect, test } from 'vitest';
import { readSettings } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { changeAsAnna, omitFieldValues } from './form-values.ts';

/** While a modal is open, Slack keeps the values of its fields and ignores new initial values for known fields. */

const postgres = startTestPostgres();

test('removing all additional admins or domains needs confirmation', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, acme, services } = setup;
  await changeAsAnna(setup, { admins: [bo.id], recipientDomains: ['example.org'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change permissions');
  await anna.unpicks('Additional admins', bo.name);
  await anna.submits('Save');
  await anna.sees(/== Remove 1 setting\? ==\s+.*All additional admins/);
  await anna.submits('Remove');
  await anna.sees('✅ Saved.');

  await anna.clicks('Change sending');
  await anna.fills('Allowed domains', '');
  await anna.submits('Save');
  await anna.sees(/== Turn off 1 rule\? ==\s+.*Allowed domains: files can be sent to any domain/);
  await anna.submits('Turn off');
  await anna.sees('Files can be sent to any domain.');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({ admins: [], recipientDomains: [] });
});

test('if Slack omits a settings field, the field keeps its value', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, acme, services } = setup;
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  const senders = ['example.org'];
  const daily = { posts: 'day', hour: 7, zone: 'Asia/Kolkata' } as const;
  const stored = inboxChannel(inbox.id, { senders, takeAndDone: true, delivery: 'thread', reminderDays: 2, ...daily });
  await changeAsAnna(setup, {
    inboxChannels: [stored],
    admins: [bo.id],
    senders: [bo.id],
    expiryUnit: 'days',
    expiryDefault: 3,
    expiryLongest: 9,
    recipientDomains: ['example.org'],
    watchedChannels: [inbox.id],
    delivery: 'thread',
    requests: true,
    contactsOnlyAdd: true,
  });
  const before = await readSettings(services, { workspace: acme.id });
  await anna.types('/drop settings', { in: '#general' });
  for (const label of ['Change downloads', 'Change permissions', 'Change sending', 'Change service options']) {
    await anna.clicks(label);
    await anna.sees('[Save]');
    omitFieldValues(setup, anna);
    await anna.submits('Save');
    await anna.sees('✅ Saved.');
  }
  await anna.clicks('Change inbox channels');
  await anna.clicks('Change channel for example.org');
  await anna.sees('Daily at 7:00 AM (Asia/Kolkata)');
  omitFieldValues(setup, anna);
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  expect(await readSettings(services, { workspace: acme.id })).toEqual(before);
});

test('the form of the next contact shows no input of the previous one', async () => {
  const { bo, account } = await setUpApp(postgres);
  await bo.types('/drop contacts', { in: '#general' });
  await bo.clicks('Edit', { near: 'carl@example.org' });
  await bo.fills('Name', 'Somebody else');
  await bo.clicks('Cancel');
  await bo.confirms('Leave');
  await bo.clicks('Edit', { near: 'dora@example.net' });
  await bo.sees('Name (optional): Dora');
  await bo.fills('Language', 'sv');
  await bo.submits('Save');
  await bo.sees('Contact changed');
  expect(account.contacts.local.map(({ nick, language }) => [nick, language])).toEqual([
    ['Carl', undefined],
    ['Dora', 'sv'],
    ['Emil', undefined],
  ]);
});

test('the Show all contacts button clears the search; paging keeps the typed text', async () => {
  const { bo, account } = await setUpApp(postgres);
  for (let number = 0; number < 40; number++) {
    account.contacts.local.push({ email: `p${number}@example.org`, number: '', nick: '', groups: [] });
  }
  await bo.types('/drop contacts', { in: '#general' });
  await bo.sees('43 contacts');
  await bo.fills('Search', 'carl');
  await bo.clicks('Next');
  await bo.sees('Previous');
  await bo.sees('Search (optional): carl');
  await bo.submits('Search');
  await bo.sees('1 of 43 contacts');
  await bo.clicks('Show all contacts');
  await bo.sees('43 contacts');
  await bo.sees('Search (optional): ‹Name');
});

test('if a form is shown again after a slow answer, it keeps its input, except the key', async () => {
  const { anna, exchange, slack } = await setUpApp(postgres, { connected: false });
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', `${apiKey}-wrong`);
  const hanging = exchange.addFault({ operation: 'index', kind: 'delay' });
  await anna.picks('Expiry is counted in', 'days');
  const submitted = anna.submits('Test and connect');
  await hanging.triggered;
  await submitted;
  await anna.sees('Working on it');
  await hanging.release();
  await anna.sees(`Account email: ${user}`);
  await anna.sees('Wrong account or API key.');
  expect(anna.screen()).not.toContain(`${apiKey}-wrong`);
  expect(JSON.stringify(slack.calls)).not.toContain(`${apiKey}-wrong`);
  await anna.fills('API key', apiKey);
  await anna.submits('Test and connect');
  await anna.sees('Connected to the file service as');
});
