import { expect, test } from 'vitest';
import { contentOf, post } from '../../src/slack/messages.ts';
import { failureOf } from '../helpers/exchange.ts';
import { clientFor, setUpWorkspace } from '../sandbox/slack/helper.ts';

/** A channel or direct message where the parent of a reply was deleted. */
async function withDeletedParent(where: 'channel' | 'direct') {
  const setup = await setUpWorkspace();
  const client = clientFor(setup.slack, setup.token);
  const to = where === 'channel' ? setup.acme.channel('general').id : setup.anna.id;
  const { channel, ts } = await post(client, to, contentOf('Parent'));
  await client.chat.delete({ channel, ts });
  const texts = () => setup.acme.state.channels.get(channel)?.messages.map(({ text }) => text);
  return { ...setup, texts, reply: () => post(client, channel, contentOf('Secret'), { thread_ts: ts }) };
}

test('in a direct message, a reply to a deleted message is posted outside a thread', async () => {
  const { reply, texts } = await withDeletedParent('direct');
  await reply();
  expect(texts()).toEqual(['Secret']);
});

test('a reply that Slack posts outside its deleted thread is deleted from the channel', async () => {
  const { reply, texts } = await withDeletedParent('channel');
  expect(await failureOf(reply())).toMatchObject({ code: 'no-channel' });
  expect(texts()).toEqual([]);
});

test('a reply that Slack refuses is not posted in the channel instead', async () => {
  const { reply, texts, slack } = await withDeletedParent('channel');
  slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'thread_not_found' });
  expect(await failureOf(reply())).toMatchObject({ code: 'no-channel' });
  expect(texts()).toEqual([]);
});
