import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { changeDraft } from '../../src/features/staging/repository.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpWatched } from './watched-channels.ts';

const postgres = startTestPostgres();

test('files in a channel that is not, or no longer, watched are ignored', async () => {
  const { anna, bo, acme, services, plans, chat, stagedOf, slack } = await setUpWatched(postgres);
  await bo.shares([{ name: 'private.txt', data: 'private' }], { in: '#chat' });
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans' });
  await until(async () => (await stagedOf(bo))[0], 'the first file to be staged');
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { watchedChannels: [] });
  await bo.shares([{ name: 'later.txt', data: 'later' }], { in: '#plans' });
  await bo.shares([{ name: 'last.txt', data: 'last' }], { in: 'Dropline' });
  await bo.sees('Ready to send: last.txt. 2 files in total.');
  await bo.opens('#plans');
  await bo.sees('Ready to send: plan.pdf.');
  const idOf = (name: string) => acme.files.find((file) => file.name === name)?.id;
  expect(await stagedOf(bo)).toEqual([idOf('plan.pdf'), idOf('last.txt')]);
  expect(chat.messages.filter(({ botId }) => botId !== undefined)).toEqual([]);
  expect(plans.messages.filter(({ botId }) => botId !== undefined)).toHaveLength(1);
  const lookedUp = slack.calls.flatMap(({ method, arguments: { file } }) => (method === 'files.info' ? [file] : []));
  expect(lookedUp).not.toContain(idOf('private.txt'));
  expect(lookedUp).not.toContain(idOf('later.txt'));
});

test('files that the bot posts in a watched channel are not staged', async () => {
  const { bo, arrive, set, inbox, slack } = await setUpInboxApp(postgres);
  await set({ delivery: 'thread', watchedChannels: [inbox.id] });
  await arrive('carl@example.org', ['answer.pdf']);
  await bo.clicks('Download answer.pdf');
  await bo.downloads('answer.pdf');
  await slack.settled();
  await bo.shares([{ name: 'mine.pdf', data: 'mine' }], { in: '#inbox' });
  await bo.sees('Ready to send: mine.pdf.');
  expect(inbox.messages.filter(({ text }) => text.includes('Ready to send'))).toHaveLength(1);
});

test('a person at the limit of staged files gets no messages from a watched channel', async () => {
  const { bo, acme, services, slack, stagedOf, untilIdle } = await setUpWatched(postgres);
  const full = Array.from({ length: 100 }, (_, number) => `F${number}`);
  await changeDraft(services, { workspace: acme.id, person: bo.id }, () => ({ tray: full }));
  await bo.opens('#plans');
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans' });
  await untilIdle();
  expect(await stagedOf(bo)).toEqual(full);
  const posts = slack.calls.filter(({ method }) => method.startsWith('chat.post')).map((call) => JSON.stringify(call));
  expect(posts.filter((text) => /ready to send/i.test(text))).toEqual([]);
});
