import { expect, test } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test('many uploads for a request share two messages in its thread', async () => {
  const { bo, changeSettings, inbox, addItem, services } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  await bo.types('/drop request');
  await bo.picks('Request from', 'carl@example.org');
  await bo.fills('Expires after (days)', '3');
  await bo.fills('Message', 'Please send the plans.');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('No uploads yet.');
  const pollAt = (when: string) => services.store.pool.query(`update dropline.polls set next_at = ${when}`);
  await pollAt(`now() + interval '1 hour'`);
  for (let number = 0; number < 11; number += 1) await addItem('carl@example.org', [`plan ${number}.pdf`]);
  await pollAt('now()');
  await bo.sees('plan 7.pdf');
  await bo.sees('plan 10.pdf');
  const replies = bo.messages.filter(({ text }) => text.includes('1 file from carl@example.org'));
  expect(replies).toHaveLength(2);
  await bo.sees('carl@example.org sent 1 file');
  expect(announcementsIn(inbox)).toHaveLength(1);
});

test('files for several requesters are seen by all of them, and each is notified', async () => {
  const { bo, anna, changeSettings, inbox, addItem } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  for (const person of [anna, bo]) {
    await person.types('/drop request');
    await person.picks('Request from', 'carl@example.org');
    await person.fills('Message', 'Please send the plans.');
    await person.submits('Review');
    await person.submits('Request from 1 person');
    await openCard(person);
    await person.sees('Requested files from 1 person: carl@example.org');
  }
  await addItem('carl@example.org', ['plan.pdf']);
  for (const [person, other] of [
    [anna, 'Bo'],
    [bo, 'Anna'],
  ] as const) {
    await person.sees(`Also requested by @${other}. The files could be for any of you, so they're in the inbox.`);
    await person.sees('carl@example.org sent 1 file');
    expect(person.messages.filter(({ text }) => text.includes('Also requested by'))).toHaveLength(1);
  }
  expect(announcementsIn(inbox)).toHaveLength(1);
  for (const person of [anna, bo]) {
    await person.types('/drop inbox');
    await person.sees('plan.pdf');
  }
});

async function reviewRequest(bo: Person): Promise<void> {
  await bo.types('/drop request');
  await bo.picks('Request from', 'dora@example.net');
  await bo.fills('Message', 'Please');
  await bo.submits('Review');
  await bo.sees('1 person can upload files');
}

test('if a contact changes after the review, no request is sent, and the card says so', async () => {
  const { bo, changeSettings, account } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  await reviewRequest(bo);
  const dora = account.contacts.local[1];
  if (dora !== undefined) dora.number = '46799999999';
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('Changed or removed since you confirmed: dora@example.net. Nothing was sent.');
  expect(account.uploadPages).toEqual([]);
});

test('closing the review of a request deletes its confirmation and sends nothing', async () => {
  const { bo, changeSettings, account, acme, services, untilIdle } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  await reviewRequest(bo);
  await bo.closes();
  await untilIdle();
  const { rows } = await services.store.pool.query(
    "select from dropline.keyv where starts_with(key, 'review:' || $1)",
    [acme.id],
  );
  expect(rows).toEqual([]);
  expect(account.uploadPages).toEqual([]);
  expect(bo.messages.filter(({ text }) => text.includes('dora@example.net'))).toEqual([]);
});

test('the card of an unconfirmed request says so; a later upload still belongs to it', async () => {
  const { bo, changeSettings, account, exchange, addItem } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  await reviewRequest(bo);
  exchange.addFault({ operation: 'givedrop', kind: 'reset-before' });
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('Request unconfirmed: dora@example.net');
  await bo.clicks('Ask again');
  await bo.sees('Possible duplicate. You tried to ask them ');
  await bo.closes();
  expect(account.uploadPages).toEqual([]);
  // The request possibly went out, so an upload still counts as its answer.
  await addItem('dora@example.net', ['map.png']);
  await bo.sees('1 file from dora@example.net, requested by @Bo');
});

test('request forms are acknowledged in time while the service hangs', async () => {
  const { bo, changeSettings, exchange, slack, account } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  await bo.types('/drop request');
  await bo.picks('Request from', 'dora@example.net');
  await bo.fills('Message', 'Please');
  const hanging = exchange.addFault({ operation: 'contacts_read', kind: 'delay', times: 10 });
  await bo.submits('Review');
  await bo.sees('Working on it…');
  hanging.remove();
  await hanging.release();
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('Requested files from 1 person: dora@example.net');
  expect(account.uploadPages).toHaveLength(1);
  const forms = slack.deliveries.filter(({ kind }) => kind === 'view_submission');
  expect(forms.map(({ outcome }) => outcome)).toEqual(['acked', 'acked']);
});

test('a running request can be cancelled, and no contact gets it', async () => {
  const { bo, anna, changeSettings, account, exchange, untilIdle } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  const delay = exchange.addFault({ operation: 'receivers_set', kind: 'delay' });
  await bo.types('/drop request');
  await bo.picks('Request from', 'dora@example.net');
  await bo.fills('Message', 'Please');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('Requesting files from dora@example.net…');
  await delay.triggered;
  await bo.clicks('Cancel');
  await bo.confirms('Cancel request');
  await bo.sees('Your request to dora@example.net was cancelled');
  await delay.release();
  await untilIdle();
  expect(account.uploadPages).toEqual([]);
  await anna.types('/drop request');
  await anna.sees('Request from');
});
