import type { WebClient } from '@slack/web-api';
import { request } from 'undici';
import {
  clientFor,
  app as config,
  expectEventually,
  manifest,
  plain,
  section,
  setUpWorkspace,
  type TestWorkspace,
} from './helper.ts';
import { keyPaths } from './key-paths.ts';
import { ok, startPlainBot } from './plain-bot.ts';

/** What the server sent to a bot, by sample name. */
export interface Captured {
  answers: Record<string, unknown>;
  payloads: Record<string, unknown>;
}

const scopes = [...(manifest.oauth_config?.scopes?.bot ?? []), 'files:write', 'users:read.email'];

/** Makes the server send every kind of answer and payload. */
export async function capture(): Promise<Captured> {
  const setup = await setUpWorkspace();
  const { botToken } = setup.acme.install({ by: setup.anna, scopes });
  await startPlainBot(setup, ok);
  const client = clientFor(setup.slack, botToken);
  const answers = {
    ...(await captureMessages(setup, client)),
    ...(await captureFiles(setup, client)),
    ...(await capturePeople(setup, client)),
    ...(await captureViews(setup, client)),
  };
  await performOtherActions(setup);
  Object.assign(answers, await installAndUninstall(setup, client));
  await setup.slack.untilIdle();
  return { answers, payloads: payloadsByName(setup) };
}

async function captureMessages({ anna }: TestWorkspace, client: WebClient) {
  // A direct message, because the app receives no events for other messages.
  const { channel = '', ts = '' } = await client.chat.postMessage({ channel: anna.id, text: 'Parent' });
  const thread = { channel, thread_ts: ts, text: 'Reply', blocks: [section('Reply')] };
  const reply = await client.chat.postMessage(thread);
  return {
    'chat.postMessage': reply,
    'chat.postEphemeral': await client.chat.postEphemeral({ channel, user: anna.id, text: 'x' }),
    'chat.update': await client.chat.update({ channel, ts: reply.ts ?? '', text: 'New' }),
    'chat.getPermalink': await client.chat.getPermalink({ channel, message_ts: ts }),
    'chat.delete': await client.chat.delete({ channel, ts: reply.ts ?? '' }),
  };
}

async function captureFiles({ acme, anna }: TestWorkspace, client: WebClient) {
  const url = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
  await (await request(url.upload_url ?? '', { method: 'POST', body: 'abc' })).body.dump();
  const id = url.file_id ?? '';
  const channel = acme.channel('general').id;
  const completed = await client.files.completeUploadExternal({ files: [{ id }], channel_id: channel });
  await expectEventually(() => acme.files.some(({ shares }) => shares.length > 0)).toBe(true);
  await anna.shares([{ name: 'b.png', data: 'png' }], { in: '#general', text: 'Hi there!' });
  return {
    'files.getUploadURLExternal': url,
    'files.completeUploadExternal': completed,
    'files.info': await client.files.info({ file: id }),
    'files.delete': await client.files.delete({ file: id }),
  };
}

async function capturePeople({ acme, anna }: TestWorkspace, client: WebClient) {
  const channel = acme.channel('general').id;
  return {
    'auth.test': await client.auth.test(),
    'users.info': await client.users.info({ user: anna.id }),
    'conversations.info': await client.conversations.info({ channel }),
  };
}

const button = {
  type: 'button' as const,
  action_id: 'press',
  text: plain('Press'),
  value: 'v',
  style: 'primary' as const,
};
const select = { type: 'multi_external_select' as const, action_id: 'who', min_query_length: 1 };
const input = { type: 'input' as const, label: plain('Who'), element: select, optional: true };
const modal = {
  type: 'modal' as const,
  title: plain('T'),
  submit: plain('Go'),
  close: plain('No'),
  notify_on_close: true,
  blocks: [input, { type: 'actions' as const, elements: [button] }],
};

async function captureViews({ acme, anna, slack }: TestWorkspace, client: WebClient) {
  const trigger = () => String(slack.deliveries.at(-1)?.payload.trigger_id);
  await anna.types('/drop', { in: '#general' });
  const opened = await client.views.open({ trigger_id: trigger(), view: modal });
  await anna.clicks('Press');
  const pushed = await client.views.push({ trigger_id: trigger(), view: modal });
  const updated = await client.views.update({ view_id: pushed.view?.id ?? '', view: modal });
  await anna.picks('Who', 'x').catch(() => {});
  await anna.clicks('No');
  await anna.submits();
  const home = { type: 'home' as const, blocks: [{ type: 'actions' as const, elements: [button] }] };
  const published = await client.views.publish({ user_id: anna.id, view: home });
  const blocks = [section('Message'), { type: 'actions' as const, elements: [button] }];
  await client.chat.postMessage({ channel: acme.channel('general').id, text: 'x', blocks });
  return { 'views.open': opened, 'views.push': pushed, 'views.update': updated, 'views.publish': published };
}

/** Actions of people that the functions above do not cover. */
async function performOtherActions({ anna }: TestWorkspace): Promise<void> {
  await anna.opens('#general');
  await anna.clicks('Press');
  await anna.usesShortcut('New transfer');
  await anna.usesShortcut('Send securely', { on: 'Hi there!' });
  await anna.opens('Home of Dropline');
  await anna.clicks('Press');
  await anna.shares([{ name: 'c.png', data: 'png' }], { in: 'Dropline', text: 'Hello' });
  await anna.deletesFile('c.png');
}

async function installAndUninstall({ slack, acme, anna }: TestWorkspace, client: WebClient) {
  const query = new URLSearchParams({ client_id: config.clientId, scope: 'commands' });
  const body = new URLSearchParams({ user: anna.id, decision: 'allow' });
  const answer = await fetch(`${slack.authorizeUrl}?${query}`, { method: 'POST', body, redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const secrets = { client_id: config.clientId, client_secret: config.clientSecret };
  const access = await client.oauth.v2.access({ ...secrets, code });
  acme.uninstall();
  return { 'oauth.v2.access': access };
}

function payloadsByName({ slack }: TestWorkspace): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const { kind, event, payload } of slack.deliveries) {
    const { subtype } = (payload.event ?? {}) as { subtype?: string };
    const { container } = payload as { container?: { type: string } };
    const part =
      event === undefined
        ? kind === 'block_actions'
          ? container?.type
          : undefined
        : [event, subtype].filter(Boolean).join('.');
    const name = part === undefined ? kind : `${kind}.${part}`;
    // Keep the payload with the most keys of each kind.
    if (keyPaths(payload).size > keyPaths(found[name]).size) found[name] = payload;
  }
  return found;
}
