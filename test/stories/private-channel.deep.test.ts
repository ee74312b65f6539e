import { expect, test } from 'vitest';
import { testMalware, testSignature } from '../../src/sandbox/scanner.ts';
import { followRedirect, opensPage, signsInAt } from '../../src/sandbox/sign-in.ts';
import { laterDigest, skipDay, untilDigestWaits } from '../helpers/digests.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startTestScanner } from '../scan/helper.ts';
import { asksFor } from './checklist.ts';
import { fetchLink, setUpLinks } from './download-link.ts';
import {
  addRequest,
  expectSeenByMembers,
  fillLegal,
  looksAt,
  namesIn,
  screens,
  secret,
  sender,
  withPrivateChannel,
} from './private-channel.ts';
import { setUpReminders } from './reminders.ts';
import { scanBy } from './scanning.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();

test('only members of a private channel see its files in lists, filters and counts', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  await fillLegal(app);
  const names = Object.keys(screens).filter((name) => name !== "Carl's card");
  await expectSeenByMembers(app, names);
});

test('nobody sees files of a private channel that is archived, shared or without me', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, legal, arrivesInLegal } = app;
  await arrivesInLegal();
  const seenBy = async (person: typeof bo) => (await looksAt(app, person, 'list')).includes(secret);
  const changes: [change: () => void, undo: () => void][] = [
    [() => legal.archive(), () => legal.unarchive()],
    [() => legal.share(), () => legal.unshare()],
    [() => legal.remove('app'), () => legal.add('app')],
  ];
  for (const [change, undo] of changes) {
    change();
    expect([await seenBy(bo), await seenBy(anna)]).toEqual([false, false]);
    undo();
    expect([await seenBy(bo), await seenBy(anna)]).toEqual([true, false]);
  }
});

test('files of a channel that became public are seen by everyone who can download', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, cleo, legal, arrivesInLegal, changeSettings } = app;
  await arrivesInLegal();
  legal.setKind('public');
  for (const person of [anna, bo, cleo]) expect(await looksAt(app, person, 'home')).toContain(secret);
  await changeSettings({ downloaders: [bo.id] });
  for (const name of ['home', 'card']) expect(await looksAt(app, cleo, name)).not.toContain(secret);
  legal.setKind('private');
  expect(await looksAt(app, bo, 'home')).toContain(secret);
});

test('a member of the channel who cannot download sees none of its files', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { cleo, legal, arrivesInLegal, changeSettings } = app;
  await arrivesInLegal();
  legal.add(cleo);
  expect(await looksAt(app, cleo, 'home')).toContain(secret);
  await changeSettings({ downloaders: 'admins' });
  for (const name of ['home', 'card']) expect(await looksAt(app, cleo, name)).not.toContain(secret);
  expect(await looksAt(app, cleo, 'home')).toContain('[Status]');
  await cleo.types('/drop inbox', { in: 'Dropline' });
  await cleo.sees("You can't download files in this workspace.");
});

test('with several inbox channels, lists name the one of each item', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { bo, inbox, addItem, arrivesInLegal, changeSettings } = app;
  await arrivesInLegal(['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf']);
  await addItem('carl@example.org', ['open.pdf']);
  await bo.opens('#inbox');
  await bo.sees('open.pdf');
  expect(await looksAt(app, bo, 'list')).toMatch(
    /1 file from carl@example\.org\nIn #inbox\. Sent [\s\S]*4 files from lea@law\.example\nIn #legal\. Sent /,
  );
  expect(await looksAt(app, bo, 'home')).toMatch(/open\.pdf from carl@example\.org in #inbox, .*\n.* in #legal, /);
  await bo.types('/drop inbox', { in: 'Dropline' });
  await bo.clicks('Show all 4 files');
  await bo.sees('In #legal. Sent ');
  await bo.reloads();
  await changeSettings({ inboxChannels: [inboxChannel(inbox.id)] });
  expect(await looksAt(app, bo, 'list')).toMatch(/carl@example\.org\nSent [\s\S]*lea@law\.example\nIn #legal\. Sent /);
});

test("a link to a private channel's file is of no use to strangers and admins", async () => {
  const app = await withPrivateChannel(setUpLinks, postgres);
  const { anna, bo, cleo, exchange, arrivesInLegal, changeLegal, linkTo, untilIdle } = app;
  await changeLegal({ delivery: 'link' });
  await arrivesInLegal();
  const link = await linkTo(secret, bo, '#legal');
  const pages: [status: number, text: string][] = [];
  for (const method of ['GET', 'POST'] as const) {
    const { status, body } = await fetchLink(link, method, '');
    pages.push([status, String(body)]);
  }
  for (const person of [cleo, anna]) {
    const { address, cookie } = await opensPage(link);
    const refused = await followRedirect(await signsInAt(address, person), cookie);
    pages.push([refused.status, await refused.text()]);
    const { status, body } = await fetchLink(link, 'POST', cookie);
    pages.push([status, String(body)]);
  }
  expect(pages.map(([status]) => status)).toEqual([200, 403, 403, 403, 403, 403]);
  expect(namesIn(pages.map(([, text]) => ({ text })))).toEqual([]);
  await untilIdle();
  for (const person of [anna, cleo]) expect(namesIn(person.messages)).toEqual([]);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
  expect((await fetchLink(link, 'POST')).status).toBe(200);
});

test('who downloaded what is told only to members', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { acme, anna, bo, cleo, dan, legal, arrivesInLegal, hidesMembers, untilIdle } = app;
  const item = await arrivesInLegal();
  await bo.opens('#legal');
  await bo.clicks(`Download ${secret}`);
  await bo.sees('Downloaded by @Bo');
  await untilIdle();
  const asks = async (person: typeof bo, isShown: boolean, text: string) => {
    for (const name of ['list', 'home', 'card', 'done items'])
      expect((await looksAt(app, person, name)).includes('Downloaded by')).toBe(isShown && name === 'list');
    const forger = await forgerFor(person, acme, anna);
    for (const action of ['inbox.files', 'receipt.downloads']) {
      await forger.clicks(action, { value: item });
      await person.sees(action === 'inbox.files' && isShown ? 'Downloaded by @Bo' : text);
      await person.reloads();
    }
  };
  await asks(dan, true, "I'll send you the receipt in a direct message.");
  const gone = 'This file is no longer available.';
  for (const person of [cleo, anna]) await asks(person, false, gone);
  legal.remove(dan);
  await asks(dan, false, gone);
  hidesMembers();
  await asks(bo, false, "Slack didn't say who is in the channel of this file.");
});

test("if Slack doesn't say whether a channel is public, its files are hidden", async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { bo, addItem, arrivesInLegal, hidesMembers } = app;
  await arrivesInLegal();
  await addItem('carl@example.org', ['open.pdf']);
  await bo.opens('#inbox');
  await bo.sees('open.pdf');
  const fault = hidesMembers('conversations.info');
  const hidden = await looksAt(app, bo, 'list');
  expect(hidden).toContain("Slack didn't say who is in some channels, so their files aren't shown.");
  expect(hidden).not.toMatch(/open\.pdf|secret\.pdf/);
  fault.remove();
  expect(await looksAt(app, bo, 'list')).toMatch(/open\.pdf[\s\S]*secret\.pdf/);
});

test('files without a channel are seen only by admins', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, addItem, changeSettings } = app;
  await changeSettings({ inboxChannels: [] });
  await addItem('carl@example.org', [secret]);
  await anna.opens('Dropline');
  await anna.sees(secret);
  expect(await looksAt(app, anna, 'list')).toContain(secret);
  for (const name of ['list', 'home', "Carl's card"]) expect(await looksAt(app, bo, name)).not.toContain(secret);
});

test('a digest of a private channel, and malware in it, give nothing away', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres, scanBy(scanner.server));
  const { anna, bo, cleo, services, addItem, changeLegal, untilIdle } = app;
  await changeLegal(laterDigest());
  await addItem(sender, [{ name: secret, data: `text ${testMalware}` }]);
  await untilDigestWaits(app, 1);
  expect(await skipDay(services.store.pool)).toBe(1);
  await bo.opens('#legal');
  await bo.sees('Digest: 1 new item');
  await bo.clicks(`Download ${secret}`);
  await bo.opens('#legal');
  await bo.sees(`🛑 Malware found: ${testSignature}`);
  await untilIdle();
  await anna.opens('Dropline');
  await anna.sees(`🛑 Malware found in a received file: ${testSignature}`);
  for (const person of [anna, cleo]) expect(namesIn(person.messages)).toEqual([]);
  expect(await looksAt(app, anna, 'list')).not.toContain(secret);
});

test('a requester who cannot download is told nothing but that an answer arrived', async () => {
  const app = await withPrivateChannel(setUpReminders, postgres);
  const { bo, cleo, addOldItem, changeSettings, remind } = app;
  await changeSettings({ downloaders: [bo.id] });
  await addRequest(app, cleo);
  await addOldItem('carl@example.org', [secret]);
  await bo.opens('#inbox');
  await bo.sees('1 file from carl@example.org, requested by @Cleo');
  await remind();
  expect(namesIn(cleo.messages)).toEqual([]);
  await cleo.opens('Home of Dropline');
  await cleo.sees('Files uploaded');
});

test('an answer for one person is nowhere to be seen for others, admins included', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, cleo, changeSettings, addItem, untilIdle } = app;
  await changeSettings({ requests: true });
  await asksFor(cleo, ['Passport']);
  await asksFor(cleo, ['Contract'], sender);
  await addItem('carl@example.org', [secret, 'visa.jpg']);
  await cleo.sees('carl@example.org sent 2 files');
  await addItem(sender, ['contract.pdf']);
  await cleo.sees(`${sender} sent files to #legal on`);
  await untilIdle();
  for (const person of [anna, bo])
    for (const name of ['list', 'home', "Carl's card"])
      expect(await looksAt(app, person, name)).not.toMatch(/secret\.pdf|visa\.jpg|2 files/);
  expect(await looksAt(app, cleo, 'list')).toContain(secret);
  for (const name of ['list', 'home', 'card']) expect(await looksAt(app, cleo, name)).not.toContain('contract.pdf');
  for (const name of ['list', 'home', 'card']) expect(await looksAt(app, bo, name)).toContain('contract.pdf');
  expect(await looksAt(app, anna, 'card')).toMatch(/Please send these.*Files uploaded/s);
});

test("someone who can't download any more gets no reminder of what they asked for", async () => {
  const app = await withPrivateChannel(setUpReminders, postgres);
  const { bo, cleo, dan, addOldItem, changeSettings, remind } = app;
  await addRequest(app, cleo);
  for (const person of [cleo, dan]) await addRequest(app, person, 'dora@example.net');
  await addOldItem('carl@example.org', [secret]);
  await addOldItem('dora@example.net', [secret]);
  await cleo.opens('Dropline');
  await cleo.sees('1 file from carl@example.org');
  await cleo.sees('dora@example.net sent files that you requested.');
  const before = cleo.messages.length;
  await changeSettings({ downloaders: [bo.id, dan.id] });
  await remind();
  expect(dan.messages.at(-1)?.text).toMatch(/No one has downloaded the files you requested[\s\S]*secret\.pdf/);
  expect(namesIn(cleo.messages.slice(before))).toEqual([]);
});

test("until Slack says whether a channel is private, an answer isn't posted anywhere", async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, cleo, acme, slack, addItem, hidesMembers } = app;
  await addRequest(app, cleo, sender);
  const fault = hidesMembers('conversations.info');
  await addItem(sender, [secret]);
  const asked = () =>
    slack.calls.filter(({ method, outcome }) => method === 'conversations.info' && outcome === 'fault');
  await expect.poll(() => asked().length).toBeGreaterThan(1);
  expect(namesIn(acme.channels.flatMap(({ messages }) => messages))).toEqual([]);
  fault.remove();
  await cleo.opens('Dropline');
  await cleo.sees("They're in #legal, and only its members see them.");
  await bo.opens('#legal');
  await bo.sees(secret);
  for (const person of [anna, cleo]) expect(namesIn(person.messages)).toEqual([]);
});

test('what a deactivated person asked the sender of a private channel for stays there', async () => {
  const app = await withPrivateChannel(setUpReminders, postgres);
  const { acme, anna, bo, addOldItem, remind } = app;
  const olga = acme.addPerson({ name: 'Olga' });
  await addRequest(app, olga, sender);
  Object.assign(acme.state.users.get(olga.id) ?? {}, { deactivated: true });
  await addOldItem(sender, [secret]);
  await bo.opens('#legal');
  await bo.sees(`1 file from ${sender}`);
  await remind();
  for (const person of [anna, olga]) expect(namesIn(person.messages)).toEqual([]);
  expect(await looksAt(app, anna, 'list')).not.toContain(secret);
});

test('status, history and ready files say nothing about files of a private channel', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, cleo, legal, dan } = app;
  await fillLegal(app);
  legal.remove(dan);
  for (const person of [anna, bo, cleo, dan]) {
    for (const [command, text] of Object.entries({ status: 'Last checked', history: 'History', files: 'Files' })) {
      await person.types(`/drop ${command}`, { in: 'Dropline' });
      await person.sees(text);
      expect(person.screen(), command).not.toMatch(/secret\.pdf|lea@law\.example|\d items?/);
      await person.reloads();
    }
  }
});

test('admins and auditors read names of all channels in the audit and its export', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, cleo, dan, legal, changeSettings, arrivesInLegal, untilIdle } = app;
  await arrivesInLegal();
  await bo.opens('#legal');
  await bo.clicks(`Download ${secret}`);
  await bo.opens('Dropline');
  await bo.sees('(file: secret.pdf)');
  await untilIdle();
  await changeSettings({ auditors: [cleo.id] });
  legal.remove(dan);
  for (const person of [bo, dan]) {
    await person.types('/drop audit', { in: 'Dropline' });
    await person.sees('Only admins and auditors can do this.');
    expect(person.client.modals.length === 0 || !person.screen().includes('@Bo downloaded')).toBe(true);
    await person.reloads();
  }
  for (const person of [anna, cleo]) {
    await person.types('/drop audit download', { in: 'Dropline' });
    await person.sees(secret);
    await person.clicks('Export as CSV');
    await person.sees("I'll send you the CSV in a direct message.");
    await person.reloads();
    await person.opens('Dropline');
    await person.sees('audit-');
    expect(await looksAt(app, person, 'list')).not.toContain(secret);
  }
  await anna.types('/drop settings', { in: 'Dropline' });
  await anna.clicks('Change inbox channels');
  await anna.sees('Other admins see only names and senders, in the audit log.');
});
