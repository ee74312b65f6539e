import { App, HTTPReceiver, type Installation, type InstallationQuery } from '@slack/bolt';
import { expect, test } from 'vitest';
import { startSlackServer } from '../../../src/sandbox/slack/index.ts';
import { startOnAnyPort } from './bot.ts';
import { clientFor, app as config, silent, startSlack } from './helper.ts';

const scopes = ['commands', 'chat:write', 'files:write'];

/** A bot that anyone can install, with the installations it has stored. */
async function startInstallable() {
  const { slack, clock } = await startSlack();
  const acme = slack.addWorkspace({ name: 'Acme' });
  const anna = acme.addPerson({ name: 'Anna', role: 'owner' });
  const installations = new Map<string, Installation>();
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const receiver = new HTTPReceiver({
    signingSecret: config.signingSecret,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    stateSecret: 'state-secret',
    scopes,
    logger: silent,
    installationStore: {
      async storeInstallation(installation) {
        installations.set(installation.team?.id ?? '', installation as Installation);
      },
      async fetchInstallation({ teamId }: InstallationQuery<boolean>) {
        const found = installations.get(teamId ?? '');
        if (!found) throw new Error('not installed');
        return found as Installation<'v2', false>;
      },
    },
    installerOptions: { authorizationUrl: slack.authorizeUrl, clientOptions, directInstall: true },
  });
  const bolt = new App({ receiver, clientOptions, logger: silent, convoStore: false });
  bolt.command('/drop', async ({ ack, client }) => ack(`I am ${(await client.auth.test()).team}`));
  const origin = await startOnAnyPort(bolt, slack);
  return { slack, clock, acme, anna, installations, install: `${origin}/slack/install` };
}

test('an optional scope must be one of the scopes of the app', async () => {
  const { oauth_config, ...rest } = config.manifest;
  const scopes = { bot: ['commands'], bot_optional: ['files:write'] };
  const manifest = { ...rest, oauth_config: { ...oauth_config, scopes } };
  await expect(startSlackServer({ app: { ...config, manifest } })).rejects.toThrow('files:write');
});

test('only optional scopes can be declined', async () => {
  const { anna, acme, install } = await startInstallable();
  await expect(anna.installs(install, { without: ['chat:write'] })).rejects.toThrow('cannot be declined');
  await anna.installs(install, { without: ['files:write'] });
  expect(acme.installation?.scopes).toEqual(['commands', 'chat:write']);
});

test("cancelling the consent page doesn't install the app", async () => {
  const { anna, acme, install } = await startInstallable();
  const page = await anna.installs(install, { refuses: true });
  expect(page.url).toContain('error=access_denied');
  expect(page.status).toBe(500);
  expect(acme.installation).toBeUndefined();
});

test.each(['guest', 'stranger'] as const)("a %s can't install the app", async (role) => {
  const { acme, install } = await startInstallable();
  const person = acme.addPerson({ name: 'Gus', role });
  await expect(person.installs(install)).rejects.toThrow('you may not install apps');
});

test('installing again revokes the old token and keeps the granted scopes', async () => {
  const { slack, acme, anna, install } = await startInstallable();
  await anna.installs(install);
  const old = acme.installation?.botToken;
  await anna.installs(install, { without: ['files:write'] });
  expect(acme.installation?.scopes).toEqual(scopes);
  await expect(clientFor(slack, old).auth.test()).rejects.toMatchObject({ data: { error: 'token_revoked' } });
  await clientFor(slack, acme.installation?.botToken).auth.test();
});

/** Accepts the consent page and returns the code. */
async function codeFrom(slack: { authorizeUrl: string }, userId: string, parameters: Record<string, string>) {
  const query = new URLSearchParams({ client_id: config.clientId, scope: 'commands', ...parameters });
  const body = new URLSearchParams({ user: userId, decision: 'allow' });
  const answer = await fetch(`${slack.authorizeUrl}?${query}`, { method: 'POST', body, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

test('an OAuth code needs its redirect URI and secret, works once and expires', async () => {
  const { slack, clock, anna, install } = await startInstallable();
  const client = clientFor(slack, undefined);
  const redirectUri = new URL('/slack/oauth_redirect', install).href;
  const secrets = { client_id: config.clientId, client_secret: config.clientSecret };
  const code = await codeFrom(slack, anna.id, { redirect_uri: redirectUri });
  const refused = (error: string) => ({ data: { error } });
  const access = (args: object) => client.oauth.v2.access({ ...secrets, code, redirect_uri: redirectUri, ...args });
  await expect(access({ client_id: 'x' })).rejects.toMatchObject(refused('invalid_client_id'));
  await expect(access({ client_secret: 'x' })).rejects.toMatchObject(refused('bad_client_secret'));
  await expect(access({ redirect_uri: `${redirectUri}/x` })).rejects.toMatchObject(refused('bad_redirect_uri'));
  await expect(access({ code: 'x' })).rejects.toMatchObject(refused('invalid_code'));
  expect(await access({})).toMatchObject({ ok: true, token_type: 'bot', scope: 'commands' });
  await expect(access({})).rejects.toMatchObject(refused('code_already_used'));
  const late = await codeFrom(slack, anna.id, {});
  clock.skipped = 10 * 60_000;
  await expect(client.oauth.v2.access({ ...secrets, code: late })).rejects.toMatchObject(refused('invalid_code'));
});

test.each([
  ['another app', { client_id: 'x' }, 'invalid_client_id'],
  ['a scope that is not in the manifest', { scope: 'admin' }, 'invalid_scope'],
  ['a redirect URI that is not in the manifest', { redirect_uri: 'https://evil.example/' }, 'bad_redirect_uri'],
])('the consent page refuses %s', async (_, parameters, error) => {
  const { slack } = await startInstallable();
  const query = new URLSearchParams({ client_id: config.clientId, scope: 'commands', ...parameters });
  const page = await fetch(`${slack.authorizeUrl}?${query}`);
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining(error)]);
});
