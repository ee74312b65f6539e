import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { clientFor, app as config, manifest, setUpWorkspace, type TestWorkspace } from './helper.ts';

async function call({ slack, token }: TestWorkspace, path: string, headers: Record<string, string>, body: string) {
  const authorization = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${slack.url}${path}`, {
    method: 'POST',
    headers: { ...authorization, ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

test.each([
  ['invalid JSON', '/api/auth.test', { 'content-type': 'application/json' }, '{', '"invalid_json"'],
  ['a JSON list', '/api/auth.test', { 'content-type': 'application/json' }, '[]', '"invalid_json"'],
  ['an unsupported content type', '/api/auth.test', { 'content-type': 'image/png' }, 'x', '"invalid_post_type"'],
  ['a missing method', '/api/', {}, '', '"unknown_method"'],
  ['a JavaScript method name', '/api/toString', {}, '', '"unknown_method"'],
  ['an unannounced upload', '/upload/v1/nothing', {}, 'abc', 'no such upload'],
  ['an unknown response_url', '/actions/T1/1/x', {}, '{}', '"no_team"'],
  ['an unknown path', '/elsewhere', {}, 'x', 'not found'],
])('a request with %s is refused', async (_, path, headers, body, message) => {
  const setup = await setUpWorkspace();
  expect((await call(setup, path, headers, body)).text).toContain(message);
  await clientFor(setup.slack, setup.token).auth.test();
});

test('the error for a missing or invalid argument names the argument', async () => {
  const setup = await setUpWorkspace();
  const client = clientFor(setup.slack, setup.token);
  const refused = (name: string) => ({
    data: { error: 'invalid_arguments', response_metadata: { messages: [expect.stringContaining(name)] } },
  });
  await expect(client.apiCall('users.info')).rejects.toMatchObject(refused('user'));
  const invalid = client.apiCall('files.getUploadURLExternal', { filename: 'a', length: 'many' });
  await expect(invalid).rejects.toMatchObject(refused('length'));
  const channel = setup.acme.channel('general').id;
  const { ts } = await client.chat.postMessage({ channel, text: 'x' });
  const flag = client.apiCall('chat.postMessage', { channel, text: 'x', thread_ts: ts, reply_broadcast: 'perhaps' });
  await expect(flag).rejects.toMatchObject(refused('reply_broadcast'));
  const files = client.apiCall('files.completeUploadExternal', { files: [{ title: 'x' }] });
  await expect(files).rejects.toMatchObject(refused('id'));
  const withoutId = client.apiCall('views.update', { view: { type: 'home', blocks: [] } });
  await expect(withoutId).rejects.toMatchObject(refused('view_id'));
});

test('a connection that violates the WebSocket protocol is closed', async () => {
  const settings = { ...manifest.settings, socket_mode_enabled: true };
  const setup = await setUpWorkspace({ app: { ...config, manifest: { ...manifest, settings } } });
  const { url = '' } = await clientFor(setup.slack, config.appToken).apps.connections.open();
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head =
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13';
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString('latin1')).toContain('101 Switching Protocols');
  // An unmasked frame, which clients must not send.
  socket.write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]));
  await once(socket, 'close');
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('dispatch_failed');
});
