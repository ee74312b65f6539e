import type { ChatPostMessageArguments } from '@slack/web-api';
import { expect, test } from 'vitest';
import { clientFor, plain, section, setUpWorkspace, type TestWorkspace } from './helper.ts';

async function setUpWithClient(options: Parameters<typeof setUpWorkspace>[0] = {}) {
  const setup = await setUpWorkspace(options);
  return { ...setup, client: clientFor(setup.slack, setup.token), channel: setup.acme.channel('general').id };
}

const refused = (error: string) => ({ data: { ok: false, error } });

const refusedChannels: [string, string, (setup: TestWorkspace) => string | Promise<string>][] = [
  ['a public channel it is not in', 'not_in_channel', ({ acme }) => acme.addChannel({ name: 'a' }).id],
  [
    'a private channel it is not in',
    'channel_not_found',
    ({ acme }) => acme.addChannel({ name: 'a', kind: 'private' }).id,
  ],
  [
    'an archived channel',
    'is_archived',
    ({ acme }) => acme.addChannel({ name: 'a', archived: true, members: ['app'] }).id,
  ],
  ['an unknown channel', 'channel_not_found', () => 'C0000000000'],
  ['a channel name', 'channel_not_found', () => 'general'],
  ['another bot', 'cannot_dm_bot', ({ acme }) => acme.addPerson({ name: 'Robot', role: 'bot' }).id],
  [
    'a person of another organisation',
    'channel_not_found',
    ({ acme }) => acme.addPerson({ name: 'Sten', role: 'stranger' }).id,
  ],
  ['a conversation of two other people', 'channel_not_found', otherConversation],
];

test.each(refusedChannels)('the app cannot post to %s: %s', async (_, error, channelOf) => {
  const setup = await setUpWithClient();
  const channel = await channelOf(setup);
  await expect(setup.client.chat.postMessage({ channel, text: 'x' })).rejects.toMatchObject(refused(error));
});

async function otherConversation({ acme, anna, bo }: TestWorkspace): Promise<string> {
  await anna.types('x', { in: bo.name });
  return acme.channels.at(-1)?.id ?? '';
}

test('chat:write.public allows posts, but no ephemerals, in channels without the app', async () => {
  const setup = await setUpWithClient();
  const { botToken } = setup.acme.install({ by: setup.anna, scopes: ['chat:write.public'] });
  const client = clientFor(setup.slack, botToken);
  const open = setup.acme.addChannel({ name: 'open' });
  await client.chat.postMessage({ channel: open.id, text: 'Hello' });
  const ephemeral = client.chat.postEphemeral({ channel: open.id, user: setup.anna.id, text: 'x' });
  await expect(ephemeral).rejects.toMatchObject(refused('not_in_channel'));
});

test('the app can change and delete only its own messages', async () => {
  const setup = await setUpWithClient();
  const { client, channel } = setup;
  await setup.anna.types('Hers', { in: '#general' });
  const hers = setup.acme.channel('general').messages[0]?.ts ?? '';
  await expect(client.chat.update({ channel, ts: hers, text: 'x' })).rejects.toMatchObject(
    refused('cant_update_message'),
  );
  await expect(client.chat.delete({ channel, ts: hers })).rejects.toMatchObject(refused('cant_delete_message'));
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'One' });
  await client.chat.update({ channel, ts, text: 'Two' });
  await setup.anna.sees('Dropline (edited): Two');
  await client.chat.delete({ channel, ts });
  await setup.anna.doesNotSee('Two');
  await expect(client.chat.update({ channel, ts, text: 'x' })).rejects.toMatchObject(refused('message_not_found'));
});

test('an update without blocks keeps them; an empty list removes them', async () => {
  const setup = await setUpWithClient();
  const { client, channel } = setup;
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'a', blocks: [section('Block')] });
  await setup.anna.opens('#general');
  await client.chat.update({ channel, ts, text: 'New text' });
  await setup.anna.sees('Block');
  await client.chat.update({ channel, ts, text: 'New text', blocks: [] });
  await setup.anna.sees('New text');
  await setup.anna.doesNotSee('Block');
});

test('replies join a thread, but a reply cannot start another thread', async () => {
  const setup = await setUpWithClient();
  const { client, channel } = setup;
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'Parent' });
  const { ts: reply = '' } = await client.chat.postMessage({ channel, text: 'Reply', thread_ts: ts });
  await setup.anna.opens('#general');
  await setup.anna.sees('Dropline: Parent Dropline: Reply');
  await setup.anna.types('Mine', { thread: 'Parent' });
  expect(setup.acme.channel('general').messages.map(({ threadTs }) => threadTs)).toEqual([ts, ts, ts]);
  const call = client.chat.postMessage({ channel, text: 'x', thread_ts: reply });
  await expect(call).rejects.toMatchObject(refused('thread_not_found'));
});

test('a reply to a deleted message is posted in the channel without an error', async () => {
  const setup = await setUpWithClient();
  const { client, channel } = setup;
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'Parent' });
  const reply = await client.chat.postMessage({ channel, text: 'Reply', thread_ts: ts });
  expect(reply.message?.thread_ts).toBe(ts);
  await client.chat.delete({ channel, ts });
  const late = await client.chat.postMessage({ channel, text: 'Late', thread_ts: ts, reply_broadcast: true });
  expect(late.message).not.toHaveProperty('thread_ts');
  expect(setup.acme.channel('general').messages.at(-1)).not.toHaveProperty('threadTs');
  const link = client.chat.getPermalink({ channel, message_ts: ts });
  await expect(link).rejects.toMatchObject(refused('message_not_found'));
});

const refusedMessages: [string, string, Partial<ChatPostMessageArguments> & Record<string, unknown>][] = [
  ['no text', 'no_text', { text: '' }],
  ['an unknown block', 'invalid_blocks', { text: 'x', blocks: [{ type: 'nonsense' } as never] }],
  ['blocks that are not a list', 'invalid_blocks_format', { text: 'x', blocks: '{}' as never }],
  ['blocks that are not JSON', 'invalid_blocks_format', { text: 'x', blocks: '[' as never }],
  ['an unknown argument', 'invalid_arguments', { text: 'x', thread: '1.1' }],
];

test.each(refusedMessages)('a message with %s is refused', async (_, error, args) => {
  const setup = await setUpWithClient();
  const call = setup.client.apiCall('chat.postMessage', { channel: setup.channel, ...args });
  await expect(call).rejects.toMatchObject(refused(error));
  expect(setup.acme.channel('general').messages).toEqual([]);
});

test('an invalid block is reported with a JSON pointer', async () => {
  const setup = await setUpWithClient();
  const blocks = [{ type: 'header' as const, text: plain('h'.repeat(151)) }];
  const call = setup.client.chat.postMessage({ channel: setup.channel, text: 'x', blocks });
  await expect(call).rejects.toMatchObject({
    data: { response_metadata: { messages: [expect.stringContaining('[json-pointer:/blocks/0/text/text]')] } },
  });
});

test('arguments can be sent as JSON, but a token in JSON is ignored', async () => {
  const setup = await setUpWithClient();
  const call = async (headers: Record<string, string>, body: object) => {
    const url = `${setup.slack.apiUrl}chat.postMessage`;
    const type = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) });
    return answer.json() as Promise<{ ok: boolean; error?: string }>;
  };
  const message = { channel: setup.channel, text: 'Hello', blocks: [section('Hello')] };
  expect(await call({ authorization: `Bearer ${setup.token}` }, message)).toMatchObject({ ok: true });
  expect(await call({}, { ...message, token: setup.token })).toEqual({ ok: false, error: 'not_authed' });
});

test('users.info shows the role of a person and whether they are deactivated', async () => {
  const { acme, client, anna, bo } = await setUpWithClient();
  const roleOf = async (user: string) => {
    const { is_admin: admin, is_restricted: guest, is_bot: bot } = (await client.users.info({ user })).user ?? {};
    return { admin, guest, bot };
  };
  expect(await roleOf(anna.id)).toEqual({ admin: true, guest: false, bot: false });
  expect(await roleOf(bo.id)).toEqual({ admin: false, guest: false, bot: false });
  const gus = acme.addPerson({ name: 'Gus', role: 'guest' });
  expect(await roleOf(gus.id)).toEqual({ admin: false, guest: true, bot: false });
  const { botUserId = '' } = acme.installation ?? {};
  expect(await roleOf(botUserId)).toEqual({ admin: false, guest: false, bot: true });
  const sten = acme.addPerson({ name: 'Sten', role: 'stranger' });
  const gone = acme.addPerson({ name: 'Gone', deactivated: true });
  const { user } = await client.users.info({ user: sten.id });
  expect(user).toMatchObject({ is_stranger: true });
  expect(user?.team_id).not.toBe(acme.id);
  expect(user?.profile).not.toHaveProperty('email');
  expect((await client.users.info({ user: gone.id })).user).toMatchObject({ deleted: true });
  await expect(client.users.info({ user: 'U0' })).rejects.toMatchObject(refused('user_not_found'));
});

test('conversations.info shows the kind and state of channels the app can see', async () => {
  const { acme, client, anna } = await setUpWithClient();
  const sten = acme.addPerson({ name: 'Sten', role: 'stranger' });
  const shared = acme.addChannel({ name: 'shared', shared: true, members: [anna, sten] });
  const hidden = acme.addChannel({ name: 'hidden', kind: 'private', members: [anna] });
  const inside = acme.addChannel({ name: 'inside', kind: 'private', members: [anna, 'app'] });
  expect((await client.conversations.info({ channel: shared.id })).channel).toMatchObject({
    is_ext_shared: true,
    is_member: false,
    is_archived: false,
    is_private: false,
  });
  expect((await client.conversations.info({ channel: inside.id })).channel).toMatchObject({
    is_private: true,
    is_member: true,
    is_ext_shared: false,
  });
  const unknown = client.conversations.info({ channel: hidden.id });
  await expect(unknown).rejects.toMatchObject(refused('channel_not_found'));
  inside.archive();
  expect((await client.conversations.info({ channel: inside.id })).channel).toMatchObject({ is_archived: true });
});
