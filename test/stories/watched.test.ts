import { expect, test } from 'vitest';
import { changeDraft, readDraft } from '../../src/features/draft.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Settings } from '../../src/features/settings/settings.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { sha256, until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** The bot in #plans, which an admin watches, and in #chat, which nobody does. */
async function setUpWatched(changes: Partial<Settings> = {}) {
  const app = await setUpApp(postgres);
  const { acme, anna, bo, gus, services } = app;
  const plans = acme.addChannel({ name: 'plans', members: [anna, bo, gus, 'app'] });
  const chat = acme.addChannel({ name: 'chat', members: [anna, bo, 'app'] });
  const admin = { workspace: acme.id, person: anna.id };
  await changeSettings(services, admin, { watchedChannels: [plans.id], ...changes });
  const stagedOf = async ({ id: person }: Person) => (await readDraft(services, { workspace: acme.id, person })).tray;
  return { ...app, plans, chat, stagedOf };
}

test('files of a channel that an admin watches get one answer, which only their owner sees, and lead to a dispatch', async () => {
  const { anna, bo, acme, account, slack } = await setUpApp(postgres);
  const plans = acme.addChannel({ name: 'plans', members: [anna, bo, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change sending');
  await anna.picks('Watched channels', 'plans');
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  await anna.closes();
  await anna.opens('#plans');
  await bo.opens('#plans');
  slack.addFault({ delivery: 'event', event: 'file_shared', kind: 'repeat' });
  await bo.shares(
    [
      { name: 'plan.pdf', data: 'the plan' },
      { name: 'map.png', data: 'the map' },
    ],
    { text: 'for everybody here' },
  );
  await bo.sees('Put aside: map.png and plan.pdf.');
  await slack.settled();
  await anna.doesNotSee('Put aside');
  expect(plans.messages.filter(({ botId }) => botId !== undefined)).toMatchObject([{ ephemeralTo: bo.id }]);

  await bo.clicks('Send 2 files …');
  await bo.picks('To', 'carl');
  await bo.submits('Check before sending');
  await bo.submits('Send 2 files to 1 person');
  await bo.sees('It is on its way.');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
  expect(account.drops[0]?.files.map(({ sha256: sum }) => sum).sort()).toEqual(
    [sha256('the map'), sha256('the plan')].sort(),
  );
  expect(plans.messages.filter(({ ephemeralTo }) => ephemeralTo === undefined)).toHaveLength(1);
});

test('files of a channel that nobody watches, or no longer, are nothing to the bot', async () => {
  const { anna, bo, acme, services, plans, chat, stagedOf, slack } = await setUpWatched();
  await bo.shares([{ name: 'private.txt', data: 'private' }], { in: '#chat' });
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans' });
  await until(async () => (await stagedOf(bo))[0], 'the first file to be put aside');
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { watchedChannels: [] });
  await bo.shares([{ name: 'later.txt', data: 'later' }], { in: '#plans' });
  await bo.shares([{ name: 'last.txt', data: 'last' }], { in: 'Dropline' });
  await bo.sees('Put aside: last.txt. 2 files in all.');
  await bo.opens('#plans');
  await bo.sees('Put aside: plan.pdf.');
  const idOf = (name: string) => acme.files.find((file) => file.name === name)?.id;
  expect(await stagedOf(bo)).toEqual([idOf('plan.pdf'), idOf('last.txt')]);
  expect(chat.messages.filter(({ botId }) => botId !== undefined)).toEqual([]);
  expect(plans.messages.filter(({ botId }) => botId !== undefined)).toHaveLength(1);
  const looked = slack.calls.flatMap(({ method, arguments: { file } }) => (method === 'files.info' ? [file] : []));
  expect(looked).not.toContain(idOf('private.txt'));
  expect(looked).not.toContain(idOf('later.txt'));
});

test('who may not send gets no answer in a channel: a guest, a stranger, a bot, and whom the settings leave out', async () => {
  const may = { send: 'admins', request: 'everyone', download: 'everyone', contacts: 'everyone' } as const;
  const { anna, bo, gus, acme, plans, stagedOf, slack } = await setUpWatched({ may });
  const sid = acme.addPerson({ name: 'Sid', role: 'stranger' });
  const robot = acme.addPerson({ name: 'Robot', role: 'bot' });
  // Others have come in after it was chosen.
  plans.share();
  for (const person of [sid, robot]) plans.add(person);
  for (const person of [bo, gus, sid, robot]) {
    await person.shares([{ name: `${person.name}.txt`, data: person.name }], { in: '#plans' });
  }
  await slack.settled();
  await anna.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans' });
  await anna.sees('Put aside: plan.pdf.');
  expect(plans.messages.filter(({ botId, userId }) => botId !== undefined && userId !== robot.id)).toMatchObject([
    { ephemeralTo: anna.id },
  ]);
  for (const person of [bo, gus, sid, robot]) expect(await stagedOf(person), person.name).toEqual([]);
  for (const person of [bo, gus, sid]) expect(person.messages.filter(({ place }) => place === 'Dropline')).toEqual([]);
});

test('what the bot itself puts into a watched channel is not put aside for anybody', async () => {
  const { bo, arrive, set, inbox, slack } = await setUpInboxApp(postgres);
  await set({ delivery: 'thread', watchedChannels: [inbox.id] });
  await arrive('carl@example.org', ['answer.pdf']);
  await bo.clicks('Download answer.pdf');
  await bo.downloads('answer.pdf');
  await slack.settled();
  await bo.shares([{ name: 'mine.pdf', data: 'mine' }], { in: '#inbox' });
  await bo.sees('Put aside: mine.pdf.');
  expect(inbox.messages.filter(({ text }) => text.includes('Put aside'))).toHaveLength(1);
});

test('whoever has put as many files aside as there may be can go on sharing in a watched channel, undisturbed', async () => {
  const { bo, acme, services, slack, stagedOf, atRest } = await setUpWatched();
  const full = Array.from({ length: 100 }, (_, number) => `F${number}`);
  await changeDraft(services, { workspace: acme.id, person: bo.id }, () => ({ tray: full }));
  await bo.opens('#plans');
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans' });
  await atRest();
  expect(await stagedOf(bo)).toEqual(full);
  const said = slack.calls.filter(({ method }) => method.startsWith('chat.post')).map((call) => JSON.stringify(call));
  expect(said.filter((text) => /put aside/i.test(text))).toEqual([]);
});
