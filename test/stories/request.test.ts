import { expect, test } from 'vitest';
import { user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test('requests are off by default, and people learn how they can be switched on', async () => {
  const { bo, anna, gus, exchange } = await setUpInboxApp(postgres);
  await bo.types('/drop request');
  await bo.sees('An admin of the workspace can switch them on in /drop settings.');
  await anna.types('/drop request');
  await anna.sees('You can switch them on: type /drop settings.');
  await gus.opens('#inbox');
  await gus.types('/drop request');
  await gus.sees('Guests, bots and people from other organisations cannot use Dropline here.');
  expect(exchange.calls.filter(({ operation }) => operation === 'givedrop')).toEqual([]);
});

test("a request is reviewed before it is sent, and uploads arrive in its card's thread", async () => {
  const { bo, anna, set, account, exchange, slack, inbox, arrive } = await setUpInboxApp(postgres);
  await set({ requests: true });
  await bo.types('/drop request');
  await bo.picks('Who should send you files?', 'board');
  await bo.picks('Who should send you files?', 'carl@example.org');
  await bo.fills('How long can they upload? (in days)', 'soon');
  await bo.fills('Message to them', 'Please send the plans.');
  await bo.submits('Next');
  await bo.sees('The time to live must be a number from 0 up.');
  await bo.fills('How long can they upload? (in days)', '3');
  await bo.submits('Next');
  await bo.sees('2 people will be able to upload files to your inbox:');
  await bo.sees('carl@example.org, 46700000001');
  await bo.sees('dora@example.net, 46700000002');
  await bo.sees('For 3 days, with this message:');
  expect(account.uploadPages).toEqual([]);
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await bo.submits('Ask 2 people');
  // Slack shows the answer to one of the two deliveries. The second one stays at “Working on it”, so reload.
  await bo.reloads();
  await bo.opens('Dropline');
  await bo.sees('Asked 2 people for files: carl@example.org and dora@example.net');
  await bo.sees('They can upload until');
  await bo.sees('No answer yet.');
  expect(account.uploadPages.map(({ contact, message }) => [contact.email, message])).toEqual([
    ['carl@example.org', 'Please send the plans.'],
    ['dora@example.net', 'Please send the plans.'],
  ]);
  expect(exchange.calls.filter(({ operation }) => operation === 'givedrop')).toHaveLength(1);
  await arrive('Carl@Example.org', ['plan.pdf']);
  await bo.sees('1 file from Carl@Example.org, in answer to @Bo');
  await bo.sees('carl@example.org sent 1 file');
  await bo.sees('No answer yet from dora@example.net.');
  expect(bo.messages.filter(({ text }) => text.includes('Asked 2 people'))).toHaveLength(1);
  await bo.clicks('Download plan.pdf');
  await bo.downloads('plan.pdf');
  await bo.sees('Taken by @Bo');
  // Only the person who asked sees the answer.
  await anna.doesNotSee('plan.pdf');
  expect(announcementsIn(inbox)).toHaveLength(1);
});

test('a queued request can be cancelled, and no contact gets it', async () => {
  const { bo, anna, set, account, exchange, untilIdle } = await setUpInboxApp(postgres);
  await set({ requests: true });
  const delay = exchange.addFault({ operation: 'receivers_set', kind: 'delay' });
  await bo.types('/drop request');
  await bo.picks('Who should send you files?', 'dora@example.net');
  await bo.fills('Message to them', 'Please');
  await bo.submits('Next');
  await bo.submits('Ask 1 person');
  await openCard(bo);
  await bo.sees('Asking dora@example.net for files …');
  await delay.struck;
  await bo.clicks('Cancel');
  await bo.confirms('Cancel it');
  await bo.sees('Your request to dora@example.net was stopped: nobody was asked');
  await delay.release();
  await untilIdle();
  expect(account.uploadPages).toEqual([]);
  await anna.types('/drop request');
  await anna.sees('Who should send you files?');
});

test("a person can't confirm a request that another person prepared", async () => {
  const { bo, anna, set, services, acme, exchange, slack } = await setUpInboxApp(postgres);
  await set({ requests: true });
  for (const person of [bo, anna]) {
    await person.types('/drop request');
    await person.picks('Who should send you files?', 'dora@example.net');
    await person.fills('Message to them', `Please, says ${person.name}`);
    await person.submits('Next');
    await person.sees('1 person will be able');
  }
  // Forge Anna's form with the metadata of Bo's.
  const [bosForm, annasForm] = acme.views.filter(({ body }) => body.callback_id === 'request.confirm');
  if (bosForm === undefined || annasForm === undefined) throw new Error('the forms are not open');
  annasForm.body.private_metadata = bosForm.body.private_metadata;
  await anna.submits('Ask 1 person');
  await anna.sees('This has expired or was confirmed before. Type /drop request to begin again.');
  await bo.submits('Ask 1 person');
  await until(() => exchange.account(user).uploadPages[0], 'the request');
  expect(exchange.account(user).uploadPages.map(({ message }) => message)).toEqual(['Please, says Bo']);
  expect(slack.calls.filter(({ error }) => error !== undefined)).toEqual([]);
  const audited = await services.store.audit.list(acme.id, { act: 'ask for files' });
  expect(audited.map(({ outcome }) => outcome)).toEqual(['done', 'not-found']);
});
