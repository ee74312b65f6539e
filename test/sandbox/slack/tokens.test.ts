import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from '@slack/web-api';
import { expect, test } from 'vitest';
import { notSimulated } from '../../../src/sandbox/slack/api/index.ts';
import { clientFor, app as config, setUpWorkspace, silent } from './helper.ts';

const refused = (error: string) => ({ data: { ok: false, error } });

test('auth.test returns the workspace and bot of a token', async () => {
  const { slack, token, acme } = await setUpWorkspace();
  expect(await clientFor(slack, token).auth.test()).toMatchObject({
    team: 'Acme',
    team_id: acme.id,
    user_id: acme.installation?.botUserId,
    bot_id: acme.installation?.botId,
  });
});

test.each([
  ['no token', undefined, 'not_authed'],
  ['an unknown token', 'xoxb-1', 'invalid_auth'],
  ['the app-level token', config.appToken, 'not_allowed_token_type'],
])('a call with %s is refused', async (_, token, error) => {
  const { slack } = await setUpWorkspace();
  await expect(clientFor(slack, token).auth.test()).rejects.toMatchObject(refused(error));
});

test('an answer lists the scopes of the token and those the method accepts', async () => {
  const { slack, token, acme } = await setUpWorkspace();
  const { response_metadata: metadata } = await clientFor(slack, token).users.info({ user: acme.person('Bo').id });
  expect(metadata).toMatchObject({ scopes: acme.installation?.scopes, acceptedScopes: ['users:read'] });
});

test('reading a conversation needs the scope for its kind', async () => {
  const { slack, acme, anna } = await setUpWorkspace();
  acme.uninstall();
  const { botToken } = acme.install({ by: anna, scopes: ['channels:read'] });
  const client = clientFor(slack, botToken);
  const inside = acme.addChannel({ name: 'inside', kind: 'private', members: ['app'] });
  await client.conversations.info({ channel: acme.channel('general').id });
  const call = client.conversations.info({ channel: inside.id });
  await expect(call).rejects.toMatchObject({ data: { error: 'missing_scope', needed: 'groups:read' } });
});

test('a token is refused with the team id of another workspace', async () => {
  const { slack, token } = await setUpWorkspace();
  const other = slack.addWorkspace({ name: 'Other' });
  const otherTeamClient = new WebClient(token, { slackApiUrl: slack.apiUrl, teamId: other.id, logger: silent });
  await expect(otherTeamClient.auth.test()).rejects.toMatchObject(refused('team_access_not_granted'));
});

test("a method that isn't simulated is refused for a missing scope, else as unknown", async () => {
  const { slack, token, acme, anna } = await setUpWorkspace();
  const client = clientFor(slack, token);
  const history = client.conversations.history({ channel: acme.channel('general').id });
  await expect(history).rejects.toMatchObject({ data: { error: 'missing_scope', needed: 'channels:history' } });
  await expect(client.apiCall('no.such')).rejects.toMatchObject(refused('unknown_method'));
  const all = acme.install({ by: anna, scopes: Object.values(notSimulated) });
  const call = clientFor(slack, all.botToken).apiCall('conversations.history');
  await expect(call).rejects.toMatchObject(refused('unknown_method'));
});

test('each kind of failure gives the matching error class of the SDK', async () => {
  const { slack, token } = await setUpWorkspace();
  const options = {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logger: silent,
    rejectRateLimitedCalls: true,
  };
  const call = () => new WebClient(token, options).auth.test();
  slack.addFault({ method: 'auth.test', kind: 'error', error: 'fatal_error' });
  await expect(call()).rejects.toBeInstanceOf(WebAPIPlatformError);
  slack.addFault({ method: 'auth.test', kind: 'server-error', status: 503 });
  await expect(call()).rejects.toBeInstanceOf(WebAPIHTTPError);
  slack.addFault({ method: 'auth.test', kind: 'rate-limited', retryAfter: 7 });
  const limited = await call().catch((error: unknown) => error);
  expect(limited).toBeInstanceOf(WebAPIRateLimitedError);
  expect(limited).toMatchObject({ retryAfter: 7 });
  slack.addFault({ method: 'auth.test', kind: 'reset-before' });
  await expect(call()).rejects.toBeInstanceOf(WebAPIRequestError);
});

test('every call is logged without its token', async () => {
  const { slack, token, acme } = await setUpWorkspace();
  const client = clientFor(slack, token);
  await client.auth.test({ token });
  await client.users.info({ user: 'U0' }).catch(() => {});
  expect(slack.calls).toMatchObject([
    { method: 'auth.test', team: acme.id, ok: true, status: 200, outcome: 'answered', arguments: {} },
    { method: 'users.info', team: acme.id, ok: false, error: 'user_not_found', arguments: { user: 'U0' } },
  ]);
  expect(JSON.stringify(slack.calls)).not.toContain(token);
});
