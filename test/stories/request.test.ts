import { expect, test } from 'vitest';
import { user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const offText = 'File requests are off in this workspace. To turn them on, ask @Anna or another workspace admin.';

test('requests are off by default, and members see who can turn them on', async () => {
  const { bo, gus, exchange } = await setUpInboxApp(postgres);
  await bo.types('/drop request');
  await bo.sees(offText);
  await bo.closes();
  for (const command of ['/drop help', '/drop help request']) {
    await bo.types(command, { in: '#general' });
    await bo.sees(offText);
  }
  expect(bo.screen()).not.toContain('Turn on file requests');
  await bo.usesShortcut('Request files');
  await bo.sees(offText);
  await gus.opens('#inbox');
  await gus.types('/drop request');
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
  expect(exchange.calls.filter(({ operation }) => operation === 'givedrop')).toEqual([]);
});

test('an admin can turn on requests from the command, Home tab, help and a contact', async () => {
  const { anna, changeSettings } = await setUpInboxApp(postgres);
  const turnsOn = async () => {
    await anna.clicks('Turn on file requests');
    expect(anna.screen()).not.toContain('Contact sync');
    await anna.submits('Turn on');
    await anna.sees('✅ File requests are on.');
    await anna.clicks('Request files');
    await anna.sees('Request from');
    await anna.closes();
    await changeSettings({ requests: false });
  };
  await anna.types('/drop request', { in: '#general' });
  await turnsOn();
  await anna.types('/drop contacts carl', { in: '#general' });
  await anna.clicks('Request files from carl@example.org');
  await turnsOn();
  await anna.types('/drop help request', { in: '#general' });
  await turnsOn();
  await anna.opens('Home of Dropline');
  await anna.doesNotSee('[Request files]');
  await turnsOn();
  // Home was published again when the settings were saved.
  await anna.sees('[Request files]');
  await anna.doesNotSee('Turn on file requests');
});

test("a request is reviewed before it is sent, and uploads arrive in its card's thread", async () => {
  const { bo, anna, changeSettings, account, exchange, slack, inbox, addItem } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  await bo.usesShortcut('Request files');
  await bo.picks('Request from', 'board');
  await bo.picks('Request from', 'carl@example.org');
  await bo.sees("Your name isn't in the email, so say who you are.");
  await bo.fills('Message', 'Please send the plans.');
  for (const expiry of ['soon', '0', '1.5', '1e3']) {
    await bo.fills('Expires after (days)', expiry);
    await bo.submits('Review');
    await bo.sees('Enter a whole number of 1 or more.');
  }
  await bo.fills('Expires after (days)', '3');
  await bo.submits('Review');
  await bo.sees('2 people can upload files for you:');
  await bo.sees('carl@example.org (Carl) · Mobile 46700000001');
  await bo.sees('dora@example.net (Dora) · Mobile 46700000002');
  await bo.sees(/Expires .*\. Message:/);
  await bo.sees('Only the message tells recipients who is asking.');
  expect(account.uploadPages).toEqual([]);
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await bo.submits('Request from 2 people');
  // Slack shows the answer to one of the two deliveries. The second one stays at “Working on it”, so reload.
  await bo.reloads();
  await bo.opens('Dropline');
  await bo.sees('Requested files from 2 people: carl@example.org and dora@example.net');
  await bo.sees('They can upload until');
  await bo.sees('No uploads yet.');
  expect(account.uploadPages.map(({ contact, message }) => [contact.email, message])).toEqual([
    ['carl@example.org', 'Please send the plans.'],
    ['dora@example.net', 'Please send the plans.'],
  ]);
  expect(exchange.calls.filter(({ operation }) => operation === 'givedrop')).toHaveLength(1);
  await addItem('Carl@Example.org', ['plan.pdf']);
  await bo.sees('1 file from Carl@Example.org, requested by @Bo');
  await bo.sees('carl@example.org sent 1 file');
  await bo.sees('No uploads yet from dora@example.net.');
  expect(bo.messages.filter(({ text }) => text.includes('Requested files from 2 people'))).toHaveLength(1);
  await bo.clicks('Download plan.pdf');
  await bo.downloads('plan.pdf');
  await bo.sees('Downloaded by @Bo');
  // Only the person who asked sees the answer.
  await anna.doesNotSee('plan.pdf');
  expect(announcementsIn(inbox)).toHaveLength(1);
});

test("a person can't confirm a request that another person prepared", async () => {
  const { bo, anna, changeSettings, services, acme, exchange, slack } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  for (const person of [bo, anna]) {
    await person.types('/drop request');
    await person.picks('Request from', 'dora@example.net');
    await person.fills('Message', `Please, says ${person.name}`);
    await person.submits('Review');
    await person.sees('1 person can upload files');
  }
  // Forge Anna's form with the metadata of Bo's.
  const [bosForm, annasForm] = acme.views.filter(({ body }) => body.callback_id === 'request.confirm');
  if (bosForm === undefined || annasForm === undefined) throw new Error('the forms are not open');
  annasForm.body.private_metadata = bosForm.body.private_metadata;
  await anna.submits('Request from 1 person');
  await anna.sees('This review has expired or was already confirmed. Type /drop request to start again.');
  await bo.submits('Request from 1 person');
  await until(() => exchange.account(user).uploadPages[0], 'the request');
  expect(exchange.account(user).uploadPages.map(({ message }) => message)).toEqual(['Please, says Bo']);
  expect(slack.calls.filter(({ error }) => error !== undefined)).toEqual([]);
  const audited = await services.store.audit.list(acme.id, { action: 'ask for files' });
  expect(audited.map(({ outcome }) => outcome)).toEqual(['not-found']);
});
