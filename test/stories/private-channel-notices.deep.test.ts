import { expect, test } from 'vitest';
import { idsOfActor } from '../../src/features/common/connection.ts';
import { queueWorkChanged } from '../../src/features/inbox/work/jobs.ts';
import { takeItem } from '../../src/features/inbox/work/operations.ts';
import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';
import { inTransaction } from '../../src/store/index.ts';
import { laterDigest, skipDay, untilDigestWaits } from '../helpers/digests.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startTestScanner } from '../scan/helper.ts';
import { addRequest, looksAt, namesIn, secret, sender, withPrivateChannel } from './private-channel.ts';
import { remindersIn, setUpReminders } from './reminders.ts';
import { scanBy } from './scanning.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();

test('a reminder is posted in a private channel, also while its members are unknown', async () => {
  const app = await withPrivateChannel(setUpReminders, postgres);
  const { anna, cleo, legal, addOldItem, hidesMembers, remind } = app;
  await addRequest(app, cleo, sender);
  await addOldItem(sender, [secret]);
  await until(() => legal.messages.some(({ text }) => text.includes(secret)) || undefined, 'the post');
  hidesMembers();
  await remind();
  expect(remindersIn(legal)).toHaveLength(1);
  for (const person of [anna, cleo]) expect(namesIn(person.messages)).toEqual([]);
});

test('someone whose item was taken over is told once Slack says that they are a member', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { acme, bo, dan, slack, services, arrivesInLegal, hidesMembers, untilIdle } = app;
  const item = await arrivesInLegal();
  await takeItem(services, { workspace: acme.id, person: dan.id }, item);
  await untilIdle();
  const fault = hidesMembers();
  const holder = idsOfActor({ workspace: acme.id, person: dan.id });
  const change = { ...holder, item, by: bo.id, what: 'taken' as const };
  await inTransaction(services.store.pool, (client) => queueWorkChanged(services, change, client));
  const asked = () => slack.calls.filter(({ method, outcome }) => method.endsWith('.members') && outcome === 'fault');
  await until(() => asked().length > 0 || undefined, 'the job to ask Slack');
  const notices = () => dan.messages.filter(({ text }) => text.includes('which you had taken'));
  expect(notices()).toEqual([]);
  await dan.types('/drop status', { in: 'Dropline' });
  await dan.sees('Last checked');
  expect(dan.screen()).not.toMatch(/secret\.pdf|lea@law\.example/);
  await dan.reloads();
  fault.remove();
  await untilIdle();
  expect(notices()).toHaveLength(1);
});

const infected = { name: secret, data: `text ${testMalware}` };

test("while Slack doesn't list the members, a malware notice names no file", async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres, scanBy(scanner.server));
  const { anna, bo, cleo, legal, arrivesInLegal, changeSettings, hidesMembers, untilIdle } = app;
  await changeSettings({ admins: [legal.id] });
  await arrivesInLegal([infected]);
  let fault = { remove() {} };
  scanner.server.behaviour.beforeVerdict = async () => {
    fault = hidesMembers();
  };
  await bo.opens('#legal');
  await bo.clicks(`Download ${secret}`);
  await bo.sees(`🛑 Malware found: ${testSignature}`);
  await untilIdle();
  await anna.opens('Dropline');
  await anna.sees(`🛑 Malware found in a received file: ${testSignature}`);
  for (const person of [anna, cleo]) expect(namesIn(person.messages)).toEqual([]);
  await bo.opens('Dropline');
  await bo.sees(`couldn't be downloaded. Malware found: ${testSignature}.`);
  fault.remove();
});

test('who left the channel a minute ago learns of no malware in its files', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres, scanBy(scanner.server));
  const { anna, bo, dan, legal, arrivesInLegal, untilIdle } = app;
  legal.add(anna);
  await arrivesInLegal([infected]);
  await dan.opens('#legal');
  await dan.sees(secret);
  await bo.types('/drop inbox', { in: 'Dropline' });
  await bo.sees(secret);
  const shownBefore = anna.messages.length;
  scanner.server.behaviour.beforeVerdict = async () => {
    for (const person of [anna, bo]) legal.remove(person);
  };
  await bo.clicks(`Download ${secret}`);
  await dan.sees(`🛑 Malware found: ${testSignature}`);
  await untilIdle();
  await bo.doesNotSee('🛑');
  await bo.reloads();
  await anna.opens('Dropline');
  await anna.sees(`🛑 Malware found in a received file: ${testSignature}`);
  expect(namesIn(anna.messages.slice(shownBefore))).toEqual([]);
  for (const person of [anna, bo])
    for (const name of ['list', 'home', 'card']) expect(await looksAt(app, person, name)).not.toMatch(/secret\.pdf|🛑/);
});

test.each([
  ['is archived', 'archive', 'unarchive', 'The channel is archived.'],
  ['is without me', 'remove', 'add', "It was deleted, or it's private and I'm no longer in it."],
] as const)('a digest of a channel that %s waits, and gives nothing away', async (_, end, undo, reason) => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, cleo, legal, services, addItem, changeLegal, untilIdle } = app;
  await changeLegal(laterDigest());
  await addItem(sender, [secret]);
  await addItem(sender, ['other.pdf']);
  await untilDigestWaits(app, 2);
  legal[end]('app');
  expect(await skipDay(services.store.pool)).toBe(1);
  await anna.opens('Dropline');
  await anna.sees(`New files can't be posted in #legal. ${reason}`);
  for (const person of [anna, cleo]) expect(namesIn(person.messages)).toEqual([]);
  await anna.sees('Until then, /drop inbox has them, unless the channel is private.');
  // Home would wait for the jobs, which try again all the time.
  for (const person of [anna, bo, cleo])
    for (const name of ['list', 'card']) expect(await looksAt(app, person, name)).not.toContain(secret);
  legal[undo]('app');
  await bo.opens('#legal');
  await bo.sees('Digest: 2 new items');
  await untilIdle();
  expect(legal.messages.filter(({ text }) => text.includes(secret))).toHaveLength(1);
  expect(await looksAt(app, bo, 'list')).toContain(secret);
  for (const person of [anna, cleo]) expect(namesIn(person.messages)).toEqual([]);
});
