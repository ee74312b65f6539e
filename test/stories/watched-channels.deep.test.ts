import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpWatchedChannel } from './watched-channels.ts';

const postgres = startTestPostgres();

test('files in channels that are not, or no longer, watched are ignored', async () => {
  const { anna, bo, acme, services, plans, chat, slack } = await setUpWatchedChannel(postgres);
  const questions = () => plans.messages.filter(({ botId }) => botId !== undefined);
  await bo.shares([{ name: 'private.txt', data: 'private' }], { in: '#chat' });
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans' });
  await until(() => questions().length > 0 || undefined, 'the question');
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { watchedChannels: [] });
  await bo.shares([{ name: 'later.txt', data: 'later' }], { in: '#plans' });
  await bo.shares([{ name: 'last.txt', data: 'last' }], { in: 'Dropline' });
  await bo.sees('Ready to send: last.txt.');
  await bo.opens('#plans');
  await bo.sees('Send plan.pdf securely?');
  const idOf = (name: string) => acme.files.find((file) => file.name === name)?.id;
  expect(chat.messages.filter(({ botId }) => botId !== undefined)).toEqual([]);
  expect(questions()).toHaveLength(1);
  const lookedUp = slack.calls.flatMap(({ method, arguments: { file } }) => (method === 'files.info' ? [file] : []));
  expect(lookedUp).not.toContain(idOf('private.txt'));
  expect(lookedUp).not.toContain(idOf('later.txt'));
});

test("the bot doesn't ask about files that it posts in a watched channel itself", async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, addItem, inbox, slack } = app;
  await app.changeInbox({ delivery: 'thread' });
  await app.changeSettings({ watchedChannels: [inbox.id] });
  await addItem('carl@example.org', ['answer.pdf']);
  await bo.clicks('Download answer.pdf');
  await bo.downloads('answer.pdf');
  await slack.untilIdle();
  await bo.shares([{ name: 'mine.pdf', data: 'mine' }], { in: '#inbox' });
  await bo.sees('Send mine.pdf securely?');
  expect(inbox.messages.filter(({ text }) => text.includes('securely?'))).toHaveLength(1);
});

test("the question in a watched channel stays if the form can't be opened", async () => {
  const { bo, slack } = await setUpWatchedChannel(postgres);
  await bo.opens('#plans');
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.sees('Send plan.pdf securely?');
  slack.addFault({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });
  await bo.clicks('Send securely…');
  await bo.sees('⚠️');
  await bo.clicks('Send securely…');
  await bo.sees('plan.pdf (8 bytes)');
});

test('if one of two offers fails, the other is not repeated', async () => {
  const { bo, slack, plans, untilIdle } = await setUpWatchedChannel(postgres);
  const first = slack.addFault({ method: 'chat.postEphemeral', kind: 'delay' });
  slack.addFault({ method: 'chat.postEphemeral', kind: 'error', error: 'fatal_error' });
  await bo.opens('#plans');
  await bo.types('Talk');
  await bo.shares([{ name: 'inside.pdf', data: 'inside' }], { thread: 'Talk' });
  await bo.shares([{ name: 'outside.pdf', data: 'outside' }]);
  await first.triggered;
  first.release();
  await untilIdle();
  const offers = plans.messages.filter(({ ephemeralTo }) => ephemeralTo === bo.id).map(({ text }) => text);
  expect(offers.sort()).toEqual(['Send inside.pdf securely?', 'Send outside.pdf securely?']);
});

test('a file that is shared while another one is offered does not repeat that offer', async () => {
  const { bo, slack, plans, untilIdle } = await setUpWatchedChannel(postgres);
  const first = slack.addFault({ method: 'chat.postEphemeral', kind: 'delay' });
  await bo.opens('#plans');
  await bo.shares([{ name: 'one.pdf', data: 'one' }]);
  await first.triggered;
  await bo.shares([{ name: 'two.pdf', data: 'two' }]);
  // Longer than the pause before the second offer.
  await sleep(1_500);
  first.release();
  await untilIdle();
  const offers = plans.messages.filter(({ ephemeralTo }) => ephemeralTo === bo.id).map(({ text }) => text);
  expect(offers).toEqual(['Send one.pdf securely?', 'Send two.pdf securely?']);
});
