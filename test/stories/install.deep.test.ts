import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { countCodeExchanges, startInstall } from './install.ts';

const postgres = startTestPostgres();

test('each invalid OAuth redirect logs one line without a stack trace', async () => {
  const { url, logged } = await setUpApp(postgres);
  const redirect = `${url}/slack/oauth_redirect`;
  for (const query of ['', '?error=access_denied', '?code=x', '?code=x&state=y']) {
    expect((await fetch(`${redirect}${query}`)).status).toBe(400);
  }
  // This redirect has a valid state, but a code that Slack doesn't know.
  const install = await fetch(`${url}/slack/install`, { redirect: 'manual' });
  const state = new URL(install.headers.get('location') ?? '').searchParams.get('state');
  const cookie = install.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await fetch(`${redirect}?code=x&state=${state}`, { headers: { cookie } })).status).toBe(400);
  const lines = logged().trim().split('\n');
  expect(lines.filter((line) => /"level":"(error|warn)"|"stack"/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.includes('installation refused'))).toHaveLength(5);
});

test('a process handles 60 installations a minute and answers more with 429', async () => {
  const { url, slack } = await setUpApp(postgres, { connected: false, isSeparate: true });
  const answers: Response[] = [];
  for (let count = 0; count < 65; count++) answers.push(await (await startInstall(url))());
  expect(countCodeExchanges(slack)).toBe(60);
  const refused = answers.slice(60);
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
  expect(await refused[0]?.text()).toContain('Too many installations at the moment. Try again in a minute.');
});

test('an uninstall event during a database outage takes effect after the outage', async () => {
  const { acme, anna, services, slack, database } = await setUpApp(postgres);
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop connect');
  await database.disconnect();
  acme.uninstall({ first: 'app_uninstalled' });
  await slack.untilIdle();
  await sleep(500);
  await database.reconnect();
  const { store } = services;
  await expect.poll(() => store.installations.get(acme.id)).toBeUndefined();
  await expect.poll(() => store.credentials.get({ workspace: acme.id })).toBeUndefined();
});

test('the installer sees the next step, and a short notice after a reinstall', async () => {
  const { slack, url, exchange } = await setUpApp(postgres, { connected: false });
  const beta = slack.addWorkspace({ name: 'Beta' });
  const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
  beta.addChannel({ name: 'general', members: [bea] });
  await bea.installs(`${url}/slack/install`);
  await bea.opens('Dropline');
  await bea.sees('Hello! I send files to people outside');
  await bea.sees('Next step: connect your file service.');
  await bea.clicks('Connect');
  await bea.fills('Service URL', exchange.url);
  await bea.fills('Account email', user);
  await bea.fills('API key', apiKey);
  await bea.picks('Expiry is counted in', 'days');
  await bea.submits('Test and connect');
  await bea.sees('onnected to the file service as');
  await bea.closes();
  await bea.doesNotSee('[Connect]');
  await bea.sees('This workspace is connected to your file service.');
  await bea.installs(`${url}/slack/install`);
  await bea.sees("Dropline's permissions are up to date.");
  expect(bea.messages.filter(({ text }) => text.startsWith('Hello!'))).toHaveLength(1);
});

test('the first request with a valid Slack signature is logged, once', async () => {
  const { url, anna, logged } = await setUpApp(postgres, { connected: false, isSeparate: true });
  const count = () => logged().match(/"heard from slack"/g)?.length ?? 0;
  const forged = {
    'x-slack-signature': `v0=${'0'.repeat(64)}`,
    'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)),
  };
  expect((await fetch(`${url}/slack/events`, { method: 'POST', headers: forged, body: '{}' })).status).toBe(401);
  expect((await fetch(`${url}/slack/oauth_redirect?code=x`)).status).toBe(400);
  expect(count()).toBe(0);
  for (const _ of [1, 2]) {
    await anna.types('/drop help', { in: '#general' });
    await anna.sees('/drop connect');
  }
  expect(count()).toBe(1);
});
