import { expect, test } from 'vitest';
import { clientFor, app as config, startSlack } from './helper.ts';

const redirectUri = 'http://127.0.0.1:1/connect/signed-in';
const secrets = { client_id: config.clientId, client_secret: config.clientSecret };
const defaults = { client_id: config.clientId, response_type: 'code', scope: 'openid', redirect_uri: redirectUri };

async function startSignIn() {
  const manifest = { ...config.manifest, oauth_config: { redirect_urls: [redirectUri], scopes: { user: ['openid'] } } };
  const { slack, clock } = await startSlack({ app: { ...config, manifest } });
  slack.deliverTo(redirectUri);
  const acme = slack.addWorkspace({ name: 'Acme' });
  const gus = acme.addPerson({ name: 'Gus', role: 'guest' });
  const page = (parameters: Record<string, string>) =>
    `${slack.url}/openid/connect/authorize?${new URLSearchParams({ ...defaults, ...parameters })}`;
  const codeFor = async (parameters: Record<string, string>) => {
    const body = new URLSearchParams({ user: gus.id, decision: 'allow' });
    const answer = await fetch(page(parameters), { method: 'POST', body, redirect: 'manual' });
    const redirectUrl = new URL(answer.headers.get('location') ?? '');
    return { code: redirectUrl.searchParams.get('code') ?? '', redirectUrl };
  };
  return { slack, clock, acme, gus, page, codeFor, client: clientFor(slack, undefined) };
}

test('a sign-in code needs its redirect URI and secret, works once and expires', async () => {
  const { clock, codeFor, client } = await startSignIn();
  const { code } = await codeFor({});
  const refused = (error: string) => ({ data: { error } });
  const token = (args: object) =>
    client.openid.connect.token({ ...secrets, code, redirect_uri: redirectUri, ...args } as typeof secrets);
  await expect(token({ client_secret: 'x' })).rejects.toMatchObject(refused('bad_client_secret'));
  await expect(token({ redirect_uri: 'https://evil.example' })).rejects.toMatchObject(refused('bad_redirect_uri'));
  const install = client.oauth.v2.access({ ...secrets, code, redirect_uri: redirectUri });
  await expect(install).rejects.toMatchObject(refused('invalid_code'));
  await token({});
  await expect(token({})).rejects.toMatchObject(refused('code_already_used'));
  const late = await codeFor({});
  clock.skipped = 10 * 60_000;
  await expect(token({ code: late.code })).rejects.toMatchObject(refused('invalid_code'));
});

test.each<[Record<string, string>, string]>([
  [{ client_id: 'x' }, 'invalid_client_id'],
  [{ response_type: 'token' }, 'invalid_response_type'],
  [{ scope: 'email' }, 'invalid_scope'],
  [{ scope: 'openid email' }, 'invalid_scope'],
  [{ redirect_uri: 'https://evil.example/' }, 'bad_redirect_uri'],
  [{ redirect_uri: 'x' }, 'bad_redirect_uri'],
  [{ redirect_uri: `${redirectUri}-elsewhere` }, 'bad_redirect_uri'],
  [{ redirect_uri: `${redirectUri}/../../d/signed-in` }, 'bad_redirect_uri'],
])('the sign-in page refuses the parameters %o', async (parameters, error) => {
  const { page } = await startSignIn();
  const answer = await fetch(page(parameters));
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(error)]);
});

test('the sign-in page redirects to a registered URL, and to a path below one', async () => {
  const { page } = await startSignIn();
  for (const redirect_uri of [redirectUri, `${redirectUri}/below`])
    expect((await fetch(page({ redirect_uri }))).status).toBe(200);
});
