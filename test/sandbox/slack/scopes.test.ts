import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { methods } from '../../../src/sandbox/slack/api/index.ts';
import type { Manifest } from '../../../src/sandbox/slack/index.ts';
import { clientFor, app as config, setUpWorkspace, type TestWorkspace } from './helper.ts';
import { ok, startPlainBot } from './plain-bot.ts';

/** The bot's own manifest, so that a new scope needs a line in the tables below. */
const path = resolve(import.meta.dirname, '../../../manifest/app.json');
const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
const scopes = manifest.oauth_config?.scopes?.bot ?? [];

/** The ids that the calls below need, created while the app had all scopes. */
interface Prepared {
  setup: TestWorkspace;
  general: string;
  inside: string;
  ts: string[];
  sharedFile: string;
  pendingUpload: string;
  completedUpload: string;
}

async function upload(client: WebClient): Promise<string> {
  const { upload_url: url = '', file_id: id = '' } = await client.files.getUploadURLExternal({
    filename: 'a.txt',
    length: 3,
  });
  await fetch(url, { method: 'POST', body: 'abc' });
  return id;
}

async function prepare(): Promise<Prepared> {
  const setup = await setUpWorkspace({ app: { ...config, manifest } });
  const { slack, acme, anna, token } = setup;
  await startPlainBot(setup, ok);
  const client = clientFor(slack, token);
  const general = acme.channel('general').id;
  const inside = acme.addChannel({ name: 'inside', kind: 'private', members: [anna, 'app'] }).id;
  const post = async () => (await client.chat.postMessage({ channel: general, text: 'x' })).ts ?? '';
  const ts = [await post(), await post()];
  await anna.shares([{ name: 'b.txt', data: 'abc' }], { in: '#general' });
  const sharedFile = acme.files[0]?.id ?? '';
  const completedUpload = await upload(client);
  await client.files.completeUploadExternal({ files: [{ id: completedUpload }] });
  return { setup, general, inside, ts, sharedFile, completedUpload, pendingUpload: await upload(client) };
}

type Call = (client: WebClient, prepared: Prepared) => Promise<unknown>;

/** A valid call for each scope of each method that the bot uses. */
const calls: [method: string, scope: string, call: Call][] = [
  ['chat.postMessage', 'chat:write', (client, { general }) => client.chat.postMessage({ channel: general, text: 'x' })],
  [
    'chat.postEphemeral',
    'chat:write',
    (client, { general, setup }) => client.chat.postEphemeral({ channel: general, user: setup.anna.id, text: 'x' }),
  ],
  [
    'chat.update',
    'chat:write',
    (client, { general, ts: [first = ''] }) => client.chat.update({ channel: general, ts: first, text: 'new' }),
  ],
  [
    'chat.delete',
    'chat:write',
    (client, { general, ts: [, second = ''] }) => client.chat.delete({ channel: general, ts: second }),
  ],
  ['conversations.info', 'channels:read', (client, { general }) => client.conversations.info({ channel: general })],
  ['conversations.info', 'groups:read', (client, { inside }) => client.conversations.info({ channel: inside })],
  [
    'conversations.members',
    'channels:read',
    (client, { general }) => client.conversations.members({ channel: general }),
  ],
  ['conversations.members', 'groups:read', (client, { inside }) => client.conversations.members({ channel: inside })],
  ['users.info', 'users:read', (client, { setup }) => client.users.info({ user: setup.bo.id })],
  [
    'users.conversations',
    'groups:read',
    (client, { setup }) => client.users.conversations({ user: setup.anna.id, types: 'private_channel' }),
  ],
  ['files.info', 'files:read', (client, { sharedFile }) => client.files.info({ file: sharedFile })],
  [
    'files.getUploadURLExternal',
    'files:write',
    (client) => client.files.getUploadURLExternal({ filename: 'c.txt', length: 3 }),
  ],
  [
    'files.completeUploadExternal',
    'files:write',
    (client, { pendingUpload }) => client.files.completeUploadExternal({ files: [{ id: pendingUpload }] }),
  ],
  ['files.delete', 'files:write', (client, { completedUpload }) => client.files.delete({ file: completedUpload })],
];

/** Commands, events and downloads that need a scope. */
const effects: [what: string, scope: string, works: (prepared: Prepared, token: string) => Promise<boolean>][] = [
  [
    'the command',
    'commands',
    async ({ setup: { anna } }) => {
      await anna.types('/drop', { in: '#general' });
      return !anna.screen().includes('/drop is not a valid command.');
    },
  ],
  [
    'direct messages to the app',
    'im:history',
    async ({ setup }) => triggersEvent(setup, 'message', () => setup.anna.types('Hello', { in: 'Dropline' })),
  ],
  [
    'shared files',
    'files:read',
    async ({ setup }) =>
      triggersEvent(setup, 'file_shared', () => setup.anna.shares([{ name: 'd', data: 'x' }], { in: '#general' })),
  ],
  [
    'downloads',
    'files:read',
    async ({ setup: { slack, acme }, sharedFile }, token) => {
      const url = `${slack.url}/files-pri/${acme.id}-${sharedFile}/download/b.txt`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
      return answer.status === 200;
    },
  ],
];

async function triggersEvent({ slack }: TestWorkspace, event: string, act: () => Promise<void>): Promise<boolean> {
  const before = slack.deliveries.length;
  await act();
  await slack.untilIdle();
  return slack.deliveries.slice(before).some((delivery) => delivery.event === event);
}

test.each(scopes)('without the scope %s, only what needs it is refused', async (missing) => {
  const prepared = await prepare();
  const { acme, anna, slack } = prepared.setup;
  await slack.untilIdle();
  const provided = scopes.filter((scope) => scope !== missing);
  acme.uninstall();
  const { botToken } = acme.install({ by: anna, scopes: provided });
  for (const name of ['general', 'inside']) acme.channel(name).add('app');
  const client = clientFor(slack, botToken);
  const refusals: Record<string, unknown> = {};
  for (const [method, scope, call] of calls) {
    await call(client, prepared).catch(({ data }: { data: unknown }) => {
      refusals[`${method} with ${scope}`] = data;
    });
  }
  const expected = calls.filter(([, scope]) => scope === missing).map(([method, scope]) => `${method} with ${scope}`);
  const refusal = { ok: false, error: 'missing_scope', needed: missing, provided: provided.join(',') };
  expect(refusals).toMatchObject(Object.fromEntries(expected.map((name) => [name, refusal])));
  expect(Object.keys(refusals)).toEqual(expected);
  for (const [what, scope, works] of effects) expect(await works(prepared, botToken), what).toBe(scope !== missing);
});

test('the tests cover every scope of the manifest and every method with a scope', () => {
  const covered = new Set([...calls, ...effects].map(([, scope]) => scope));
  expect([...covered].sort()).toEqual([...scopes].sort());
  const scoped = Object.entries(methods).filter(([, method]) => method.token === 'bot' && method.scopes.length > 0);
  expect([...new Set(calls.map(([method]) => method))].sort()).toEqual(scoped.map(([name]) => name).sort());
});
