import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { queueReminders, remindJob } from '../../src/features/inbox/reminders/jobs.ts';
import { tickPoint } from '../../src/features/transfers/checklist/operations.ts';
import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import { testMalware } from '../../src/sandbox/scanner.ts';
import { idsOfDesk } from '../../src/store/index.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { deskOf } from '../helpers/desks.ts';
import { user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type RunningProgram, usePrograms } from '../helpers/program.ts';
import { rewriteContent } from '../helpers/transfers.ts';
import type { BotWorkerArgs } from '../programs/bot-worker.ts';
import { startTestScanner } from '../scan/helper.ts';
import { asksFor } from './checklist.ts';
import { dateIn } from './expiry.ts';
import { pauses, reason, resumes } from './pause.ts';
import { directMessages, remindersIn, requestFrom, setUpReminders } from './reminders.ts';
import { openCard } from './request.ts';
import { scanBy } from './scanning.ts';

const postgres = startTestPostgres();
const programs = usePrograms();
const scanner = startTestScanner();

/** The call at which the worker is killed, and how often people see the reminder after that. */
const points: [method: string, kind: 'hang' | 'hang-after', reminders: number][] = [
  ['conversations.info', 'hang', 1],
  ['chat.postMessage', 'hang', 0],
  ['chat.postMessage', 'hang-after', 1],
];

test('a killed worker never causes a second reminder', async () => {
  let worker: RunningProgram | undefined;
  let startWorker = async () => {};
  const app = await setUpReminders(postgres, {
    isWorking: false,
    beforeConnect: async ({ database, env, slack }) => {
      const args: BotWorkerArgs = {
        databaseUrl: database.connectionString,
        secretKey: env.SECRET_KEY ?? '',
        slackApiUrl: slack.apiUrl,
      };
      startWorker = async () => {
        worker = programs.run('test/programs/bot-worker.ts', [JSON.stringify(args)]);
        await worker.nextLine();
      };
      await startWorker();
    },
  });
  const { slack, addOldItem, inbox, services, remind, untilIdle } = app;
  const remindersOf = (sender: string) => remindersIn(inbox).filter(({ text }) => text.includes(sender)).length;
  const isAnnounced = (sender: string) => inbox.messages.some(({ text }) => text.startsWith(`1 file from ${sender}`));
  for (const [number, [method, kind, reminders]] of points.entries()) {
    const sender = `sender-${number}@example.org`;
    await addOldItem(sender, ['plan.pdf']);
    await until(() => isAnnounced(sender) || undefined, `the post of ${sender}`);
    // Only an item with a recorded post gets a reminder.
    await untilIdle();
    // A channel check is valid for 100 ms here. Wait until it expires, so that the reminder needs a new one.
    await sleep(200);
    const fault = slack.addFault({ method, kind });
    await queueReminders(services);
    await fault.triggered;
    worker?.child.kill('SIGKILL');
    await worker?.ended;
    await startWorker();
    await remind();
    await remind();
    expect(remindersOf(sender), `${method} ${kind}`).toBe(reminders);
  }
  const { rows } = await services.store.pool.query('select from dropline.inbox_items where reminded_at is null');
  expect(rows).toEqual([]);
}, 240_000);

test('if reminder jobs run at the same time, they send each message once', async () => {
  const app = await setUpReminders(postgres);
  const { anna, bo, acme, services, changeSettings, addOldItem, ageRequests, inbox } = app;
  await changeSettings({ requests: true });
  for (const person of [anna, bo]) await requestFrom(person, 'dora@example.net');
  await requestFrom(bo, 'carl@example.org');
  await addOldItem('dora@example.net', ['map.png']);
  await bo.sees('dora@example.net sent files that you requested.');
  await app.untilIdle();
  await ageRequests(49);
  const other = await app.startAnotherBot();
  const context = {
    runId: 'x',
    attempt: 1,
    signal: new AbortController().signal,
    check: async () => {},
    step: () => Promise.reject(new Error('not used')),
  };
  const jobs = [services, other.services, services, other.services].map((own) => remindJob(own));
  const ids = idsOfDesk(await deskOf(services.store, acme.id));
  await Promise.all(jobs.map((job) => job.run(ids, context)));
  expect(remindersIn(inbox)).toEqual([]);
  for (const person of [anna, bo]) {
    expect(directMessages(person, 'No one has downloaded the files you requested')).toHaveLength(1);
  }
  expect(directMessages(bo, 'No uploads yet from carl@example.org')).toHaveLength(1);
  expect(directMessages(anna, 'Your request expires')).toEqual([]);
});

test.each([
  ['rate-limited', 'sent'],
  ['error', 'sent'],
  ['reset-before', 'unconfirmed'],
  ['reset-after', 'unconfirmed'],
  ['cut', 'unconfirmed'],
  ['server-error', 'unconfirmed'],
] as const)(
  'a reminder is repeated only if Slack certainly refused it (fault: %s)',
  async (kind, outcome) => {
    const { addOldItem, bo, slack, inbox, remind, logged } = await setUpReminders(postgres);
    await addOldItem('carl@example.org', ['plan.pdf']);
    await bo.sees('1 file from carl@example.org');
    const fault = slack.addFault({
      method: 'chat.postMessage',
      kind,
      ...(kind === 'error' && { error: 'fatal_error' }),
    });
    await remind();
    await fault.triggered;
    await remind();
    expect(remindersIn(inbox)).toHaveLength(outcome === 'sent' || kind === 'reset-after' || kind === 'cut' ? 1 : 0);
    expect(logged()).toContain(`"outcome":"${outcome}"`);
  },
  60_000,
);

test('only the requester is reminded of items that were announced together', async () => {
  const { bo, addOldItem, exchange, inbox, remind, changeSettings } = await setUpReminders(postgres);
  await changeSettings({ requests: true });
  await requestFrom(bo, 'carl@example.org');
  const delayedPoll = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await delayedPoll.triggered;
  // These items need more than ten posts, because at most eight items of a sender share a post.
  for (let number = 0; number < 81; number += 1) await addOldItem('carl@example.org', [`plan-${number}.pdf`]);
  for (let number = 0; number < 12; number += 1)
    await addOldItem(`someone-${number}@example.com`, [`map-${number}.pdf`]);
  await delayedPoll.release();
  await bo.sees('81 new items in the inbox');
  await until(() => inbox.messages.some(({ text }) => text.startsWith('12 new items')) || undefined, 'the post');
  await remind();
  await remind();
  expect(remindersIn(inbox)).toEqual([]);
  const [reminder, ...more] = directMessages(bo, 'No one has downloaded the files you requested');
  expect(reminder).toContain('and 71 more items in the inbox.');
  expect(reminder).not.toContain('map-');
  expect(more).toEqual([]);
});

test('only the requester can ask again, and only while requests are on and allowed', async () => {
  const { anna, bo, remind, changeSettings, ageRequests, acme, services } = await setUpReminders(postgres);
  await changeSettings({ requests: true });
  await requestFrom(bo, 'carl@example.org');
  await ageRequests(49);
  await remind();
  await changeSettings({ requests: false });
  await bo.clicks('Ask again', { near: 'No uploads yet from carl@example.org' });
  await bo.sees('File requests are off.');
  await bo.closes();
  await changeSettings({
    requests: true,
    requesters: 'admins',
  });
  await bo.clicks('Ask again', { near: 'No uploads yet from carl@example.org' });
  await bo.sees("You can't request files in this workspace.");
  const [request] = await allOf(transfersIn(services.store).ended({ workspace: acme.id }));
  const forger = await forgerFor(anna, acme, anna);
  await forger.clicks('request.again', { value: request?.id ?? '' });
  await anna.sees('Transfer not found.');
});

test('no one is reminded of a request whose whole checklist is ticked off', async () => {
  const { bo, remind, changeSettings, ageRequests, services } = await setUpReminders(postgres);
  await changeSettings({ requests: true });
  await asksFor(bo, ['Passport'], 'carl@example.org');
  await asksFor(bo, ['Passport'], 'dora@example.net');
  await bo.sees('Requested files from 1 person: dora@example.net');
  const { rows } = await services.store.pool.query<{ id: string; workspace: string }>(
    'select id, workspace from dropline.transfers order by created_at',
  );
  const [{ id, workspace } = { id: '', workspace: '' }] = rows;
  await tickPoint(services, { workspace, person: bo.id }, { id, point: 0, isTicked: true });
  await ageRequests(49);
  await remind();
  const reminders = directMessages(bo, 'Your request expires');
  expect(reminders.map((text) => /from (\S+)/.exec(text)?.[1])).toEqual(['dora@example.net']);
});

test('after a request is repeated, only the later request gets a reminder', async () => {
  const { bo, remind, changeSettings, ageRequests, account } = await setUpReminders(postgres);
  await changeSettings({ requests: true });
  await requestFrom(bo, 'carl@example.org');
  await bo.clicks('Ask again');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('You asked again on ');
  expect(account.uploadPages).toHaveLength(2);
  await ageRequests(49);
  await remind();
  expect(directMessages(bo, 'Your request expires')).toHaveLength(1);
});

test('a disconnected workspace gets no reminder', async () => {
  const { anna, bo, addOldItem, services, inbox, remind } = await setUpReminders(postgres);
  await addOldItem('carl@example.org', ['plan.pdf']);
  await bo.sees('1 file from carl@example.org');
  await anna.types('/drop disconnect');
  await anna.clicks('Disconnect…');
  await anna.confirms('Disconnect');
  const rows = async () => (await services.store.pool.query('select from dropline.inbox_items')).rowCount;
  await expect.poll(rows, { timeout: 20_000 }).toBe(0);
  await remind();
  expect(remindersIn(inbox)).toEqual([]);
});

test('a request approved late gets its reminder a day before the chosen date', async () => {
  const { acme, anna, bo, services, remind, changeSettings, ageRequests } = await setUpReminders(postgres);
  await changeSettings({ requests: true });
  const policy = policyWith({ every: true, requests: true, approvers: [anna.id] });
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  await bo.types('/drop request');
  await bo.picks('Request from', 'carl@example.org');
  await bo.fills('Expires after (days)', dateIn(10));
  await bo.fills('Message', 'Please send the plans.');
  await bo.submits('Review');
  await bo.submits('Request approval');
  await openCard(bo);
  await bo.sees('Waiting for approval: file request to carl@example.org');
  const [request] = await allOf(transfersIn(services.store).active({ workspace: acme.id }));
  // Simulate a wait of eight days: the chosen date is now two days away.
  await rewriteContent(services.store, request?.id ?? '', { expiryDate: dateIn(2) });
  await anna.opens('Dropline');
  await anna.clicks('Review');
  await anna.submits('Approve');
  await anna.sees('Approved by @Anna');
  await bo.sees('Requested files from 1 person: carl@example.org');
  await ageRequests(25);
  await remind();
  expect(directMessages(bo, 'Your request expires')).toHaveLength(1);
});

test('during a pause, reminders are sent as usual and say what is paused', async () => {
  const { anna, bo, addOldItem, inbox, remind, changeSettings, ageRequests, exchange } = await setUpReminders(postgres);
  await changeSettings({ requests: true });
  await requestFrom(bo, 'carl@example.org');
  await ageRequests(49);
  await addOldItem('dora@example.net', ['map.png']);
  await anna.sees('1 file from dora@example.net');
  await pauses(anna, 'downloads');
  await pauses(anna, 'file requests');
  await remind();
  expect(remindersIn(inbox).map(({ text }) => text)).toEqual([
    `Not downloaded yet. 1 file from dora@example.net: map.png. Expires soon. Downloads are paused by an admin: ${reason}`,
  ]);
  await bo.opens('Dropline');
  await bo.sees(`⚠️ File requests are paused by an admin: ${reason}`);
  await bo.sees('They can still upload until then. You can ask again when file requests are resumed.');
  const again = { near: 'You can ask again when file requests are resumed' };
  await bo.clicks('Ask again', again);
  await bo.sees(`⚠️ File requests are paused by an admin: ${reason}`);
  expect(bo.screen()).not.toContain('[Request from');
  await bo.closes();
  await resumes(anna, 'file requests');
  await resumes(anna, 'downloads');
  await bo.clicks('Ask again', again);
  await bo.submits('Request from 1 person');
  await expect.poll(() => exchange.account(user).uploadPages.length).toBe(2);
  await remind();
  expect(remindersIn(inbox)).toHaveLength(1);
});

test('no one is reminded of an infected item', async () => {
  const { bo, addOldItem, inbox, remind } = await setUpReminders(postgres, scanBy(scanner.server));
  await addOldItem('carl@example.org', ['clean.txt', { name: 'bad.txt', data: `text ${testMalware}` }]);
  await addOldItem('dora@example.net', ['map.png']);
  await bo.sees('1 file from dora@example.net');
  await bo.clicks('Download bad.txt');
  await bo.sees('🛑 Malware found');
  await remind();
  expect(remindersIn(inbox).map(({ text }) => text)).toEqual([
    'Not downloaded yet. 1 file from dora@example.net: map.png. Expires soon.',
  ]);
});

test('the people who requested an item are reminded of it', async () => {
  const { anna, bo, addOldItem, inbox, remind, changeSettings } = await setUpReminders(postgres);
  await changeSettings({ requests: true });
  await requestFrom(bo, 'carl@example.org');
  await addOldItem('carl@example.org', ['plan.pdf']);
  await bo.sees('1 file from carl@example.org, requested by @Bo');
  await remind();
  expect(directMessages(bo, 'Not downloaded yet')).toHaveLength(1);
  await requestFrom(bo, 'dora@example.net');
  await requestFrom(anna, 'dora@example.net');
  await addOldItem('dora@example.net', ['map.png']);
  await bo.sees('dora@example.net sent files that you requested.');
  await remind();
  expect(remindersIn(inbox)).toEqual([]);
  for (const person of [anna, bo]) {
    const [reminder, ...more] = directMessages(person, 'No one has downloaded the files you requested');
    expect(reminder).toContain('1 file from dora@example.net: map.png. Expires');
    expect(more).toEqual([]);
  }
  expect(directMessages(bo, 'Not downloaded yet')).toHaveLength(1);
});

test('reminders can be turned off and require a known expiry unit', async () => {
  const { anna, bo, addOldItem, inbox, remind, changeInbox, changeSettings } = await setUpReminders(postgres);
  await addOldItem('carl@example.org', ['plan.pdf']);
  await bo.sees('1 file from carl@example.org');
  await anna.types('/drop settings');
  await anna.clicks('Change inbox channels');
  await anna.clicks('Change channel for everything else');
  await anna.picks('Remind about files that no one has downloaded', 'Off');
  await anna.submits('Save');
  await anna.sees('#inbox · everything else · every item · no reminders');
  await remind();
  await changeInbox({ reminderDays: 2 });
  await changeSettings({ expiryUnit: 'own', expiryDefault: 7 });
  await remind();
  expect(remindersIn(inbox)).toEqual([]);
  await changeSettings({ expiryUnit: 'days', expiryDefault: 7 });
  await remind();
  expect(remindersIn(inbox)).toHaveLength(1);
});

test('each inbox channel has its own reminders; other items have them a day before', async () => {
  const app = await setUpReminders(postgres);
  const { anna, acme, addOldItem, inbox, remind, changeSettings, services } = app;
  const early = acme.addChannel({ name: 'early', members: [anna, 'app'] });
  await changeSettings({
    inboxChannels: [
      inboxChannel(inbox.id, { senders: ['example.org'], reminderDays: 0 }),
      inboxChannel(early.id, { senders: ['example.net'], reminderDays: 2 }),
    ],
  });
  for (const sender of ['carl@example.org', 'dora@example.net', 'emil@example.com'])
    await addOldItem(sender, ['a.pdf']);
  await anna.opens('Dropline');
  await anna.sees('1 file from emil@example.com');
  await app.untilIdle();
  const laterBy = (days: number) =>
    services.store.pool.query('update dropline.inbox_items set expires_from = expires_from + $1 * 86400', [days]);
  // All expire in a day and a half.
  await laterBy(1);
  await remind();
  expect([inbox, early].map((channel) => remindersIn(channel).length)).toEqual([0, 1]);
  expect(directMessages(anna, 'Not downloaded yet')).toEqual([]);
  await laterBy(-1);
  await remind();
  expect([inbox, early].map((channel) => remindersIn(channel).length)).toEqual([0, 1]);
  expect(directMessages(anna, 'Not downloaded yet')).toHaveLength(1);
});
