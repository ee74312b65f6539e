import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { makeKeyPage, serveKeyPage } from '../../src/features/account/connect/page.ts';
import { cookieOf, followRedirect, opensPage, signIn, signsInAt } from '../../src/sandbox/sign-in.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { serve } from '../helpers/serve.ts';

const postgres = startTestPostgres();

/** Anna has requested a key page. Bo is in the same workspace, Eve in another one with the same names. */
async function setUpSignIn() {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl: true });
  const { acme, anna, exchange, services, slack } = setup;
  const eve = slack.addWorkspace({ name: 'Acme' }).addPerson({ name: 'Anna', role: 'owner' });
  const draft = { baseUrl: exchange.url, username: user };
  const makePage = async () => (await makeKeyPage(services, { workspace: acme.id, person: anna.id }, draft)).url;
  const page = await makePage();
  const post = (cookie: string, key = apiKey) =>
    fetch(page, { method: 'POST', headers: { cookie }, body: new URLSearchParams({ key }) });
  /** Expects that the page accepts no key from this browser. */
  const expectKeyRefused = async (cookie: string) => {
    expect(await (await fetch(page, { headers: { cookie } })).text()).not.toContain('type="password"');
    const posted = await post(cookie);
    expect([posted.status, await posted.text()]).toEqual([403, expect.stringContaining('Sign in with Slack')]);
    expect(exchange.calls).toEqual([]);
    expect(await services.store.credentials.get({ workspace: acme.id })).toBeUndefined();
  };
  return { ...setup, eve, page, makePage, post, expectKeyRefused };
}

test('the person who asked for the key page signs in with Slack and enters the key', async () => {
  const { anna, acme, services, page, post } = await setUpSignIn();
  const { address, cookie, text } = await opensPage(page);
  expect(text).toContain('Only Anna in the Slack workspace Acme can enter it.');
  expect(text).not.toContain('type="password"');
  expect(Object.fromEntries(address.searchParams)).toMatchObject({ scope: 'openid', team: acme.id });
  const response = await followRedirect(await signsInAt(address, anna), cookie);
  expect([response.status, response.headers.get('location')]).toEqual([303, page]);
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/; HttpOnly; SameSite=Lax$/)]);
  const form = await fetch(page, { headers: { cookie: cookieOf(response) } });
  expect(await form.text()).toContain('type="password"');
  expect((await post(cookieOf(response), 'wrong')).status).toBe(400);
  expect((await post(cookieOf(response))).status).toBe(200);
  expect(await services.store.credentials.get({ workspace: acme.id })).toMatchObject({
    username: user,
    connectedBy: anna.id,
  });
});

test('behind TLS, the cookie of the key page is Secure and has the __Host- prefix', async () => {
  const { services, page } = await setUpSignIn();
  const secure = { ...services, publicUrl: 'https://drop.example.com' };
  const url = await serve(createServer((request, response) => void serveKeyPage(secure, request, response)));
  const opened = await fetch(url + new URL(page).pathname);
  expect(opened.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-[\w.=-]+; Path=\/; .*; Secure$/)]);
});

test('the key page accepts no key before the sign-in', async () => {
  const { page, expectKeyRefused } = await setUpSignIn();
  await expectKeyRefused('');
  await expectKeyRefused((await opensPage(page)).cookie);
});

test("another person of the workspace can't open the key page and sees who can", async () => {
  const { bo, page, expectKeyRefused, logged } = await setUpSignIn();
  const { address, cookie } = await opensPage(page);
  const response = await followRedirect(await signsInAt(address, bo), cookie);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain('Only Anna in the Slack workspace Acme can enter this key.');
  expect(response.headers.getSetCookie()).toEqual([]);
  await expectKeyRefused(cookie);
  expect(logged()).toContain('link opened by another person');
});

test("a person of another workspace can't open the key page, even with equal names", async () => {
  const { eve, page, expectKeyRefused } = await setUpSignIn();
  const { address, cookie } = await opensPage(page);
  address.searchParams.delete('team');
  expect((await followRedirect(await signsInAt(address, eve), cookie)).status).toBe(403);
  await expectKeyRefused(cookie);
});

test('the state of a sign-in can be used once', async () => {
  const { anna, bo, page, expectKeyRefused } = await setUpSignIn();
  const { address, cookie } = await opensPage(page);
  expect((await followRedirect(await signsInAt(address, bo), cookie)).status).toBe(403);
  expect((await followRedirect(await signsInAt(address, anna), cookie)).status).toBe(400);
  await expectKeyRefused(cookie);
});

test.each([['no'], ['another']])('a sign-in response with %s nonce is refused', async (which) => {
  const { anna, page, expectKeyRefused } = await setUpSignIn();
  const { address, cookie } = await opensPage(page);
  if (which === 'no') address.searchParams.delete('nonce');
  else address.searchParams.set('nonce', (await opensPage(page)).address.searchParams.get('nonce') ?? '');
  const response = await followRedirect(await signsInAt(address, anna), cookie);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('confirm who you are')]);
  await expectKeyRefused(cookie);
});

test('a sign-in started in one browser is refused in another browser', async () => {
  const { anna, page, expectKeyRefused } = await setUpSignIn();
  // Anna, as an attacker, sends the redirect URL of her sign-in to a victim who has opened the page.
  const attacker = await opensPage(page);
  const victim = await opensPage(page);
  const redirectUrl = await signsInAt(attacker.address, anna);
  expect((await followRedirect(redirectUrl, '')).status).toBe(400);
  expect((await followRedirect(redirectUrl, victim.cookie)).status).toBe(400);
  await expectKeyRefused(victim.cookie);
  await expectKeyRefused('');
  expect((await followRedirect(redirectUrl, attacker.cookie)).status).toBe(303);
});

test('a sign-in for one key page opens no other key page', async () => {
  const { anna, page, makePage, expectKeyRefused } = await setUpSignIn();
  const other = await makePage();
  await expectKeyRefused(await signIn(other, anna));
  const { cookie } = await opensPage(page);
  const { address, cookie: otherCookie } = await opensPage(other);
  const redirectUrl = await signsInAt(address, anna);
  expect((await followRedirect(redirectUrl, cookie)).status).toBe(400);
  const response = await followRedirect(redirectUrl, otherCookie);
  expect([response.status, response.headers.get('location')]).toEqual([303, other]);
  await expectKeyRefused(cookieOf(response));
});

test('made-up states, changed states and cancelled sign-ins are refused', async () => {
  const { anna, page, url, expectKeyRefused } = await setUpSignIn();
  const { address, cookie } = await opensPage(page);
  const redirectUrl = new URL(await signsInAt(address, anna));
  const token = page.split('.').at(-1) ?? '';
  const stateText = redirectUrl.searchParams.get('state') ?? '';
  expect(Buffer.from(stateText.split('.').at(-1) ?? '', 'base64url').toString()).not.toContain(token);
  for (const state of ['', 'x', `${stateText}x`, stateText.replace(/.{4}$/, 'AAAA')]) {
    redirectUrl.searchParams.set('state', state);
    expect((await followRedirect(redirectUrl.href, cookie)).status, state).toBe(400);
  }
  expect((await followRedirect(`${url}/connect/signed-in`, cookie)).status).toBe(400);
  redirectUrl.searchParams.set('state', stateText);
  redirectUrl.pathname = '/d/signed-in';
  expect((await followRedirect(redirectUrl.href, cookie.replace('-connect', '-d'))).status).toBe(400);
  const cancelled = await followRedirect(await signsInAt(address, anna, 'cancel'), cookie);
  expect([cancelled.status, await cancelled.text()]).toEqual([400, expect.stringContaining('You didn’t sign in')]);
  await expectKeyRefused(cookie);
});
