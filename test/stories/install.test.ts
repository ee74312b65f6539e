import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { apiKey } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { countCodeExchanges, startInstall } from './install.ts';

const postgres = startTestPostgres();

test('a second workspace gets its own token and account', async () => {
  const { slack, url, anna, exchange, services, acme } = await setUpApp(postgres);
  const beta = slack.addWorkspace({ name: 'Beta' });
  const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
  beta.addChannel({ name: 'general', members: [bea] });
  const page = await bea.installs(`${url}/slack/install`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h1>Dropline is installed in Beta</h1>');
  expect(page.text).toContain('type <code>/drop connect</code>');
  const other = exchange.addAccount({ user: 'beta@example.com', apiKey });
  other.contacts.local = [{ email: 'only-of-beta@example.org', number: '46711111111' }];

  await bea.types('/drop connect', { in: '#general' });
  await bea.fills('Service URL', exchange.url);
  await bea.fills('Account email', 'beta@example.com');
  await bea.fills('API key', apiKey);
  await bea.picks('Expiry is counted in', 'days');
  await bea.submits('Test and connect');
  await bea.sees('onnected to the file service as');
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop connect');

  expect((await services.store.credentials.get({ workspace: acme.id }))?.username).not.toBe('beta@example.com');
  // Each workspace's client uses its own token.
  const tokenOf = async (workspace: string) => (await services.slack.clientOf(workspace)).token;
  expect(await tokenOf(acme.id)).toBe(acme.installation?.botToken);
  expect(await tokenOf(beta.id)).toBe(beta.installation?.botToken);
  const authErrors = slack.calls.filter(({ ok, error }) => !ok && error === 'invalid_auth');
  expect(authErrors).toEqual([]);
  const teams = new Set(slack.calls.filter(({ method }) => method === 'views.open').map(({ team }) => team));
  expect(teams).toEqual(new Set([beta.id]));
});

test('with PUBLIC_URL, the install link has the redirect URL, and installing works', async () => {
  const { slack, url } = await setUpApp(postgres, { connected: false, hasPublicUrl: true });
  const beta = slack.addWorkspace({ name: 'Beta' });
  const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
  const { headers } = await fetch(`${url}/slack/install`, { redirect: 'manual' });
  const { searchParams } = new URL(headers.get('location') ?? '');
  expect(searchParams.get('redirect_uri')).toBe(`${url}/slack/oauth_redirect`);
  expect((await bea.installs(`${url}/slack/install`)).text).toContain('<h1>Dropline is installed in Beta</h1>');
});

test('an OAuth state can be used once, and reusing it makes no call to Slack', async () => {
  const { url, slack, logged, startAnotherBot } = await setUpApp(postgres, { connected: false });
  const redirect = await startInstall(url);
  expect((await redirect()).status).toBe(400);
  expect(countCodeExchanges(slack)).toBe(1);
  const other = await startAnotherBot();
  for (const again of await Promise.all([redirect(), redirect(), redirect(other.url)])) {
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('This link has been used. Start the installation again.');
  }
  expect(countCodeExchanges(slack)).toBe(1);
  expect(logged()).not.toMatch(/"level":"(error|warn)"/);
});

test.each(['app_uninstalled', 'tokens_revoked'] as const)(
  "an uninstall that starts with %s deletes the workspace's data",
  async (first) => {
    const { acme, services, slack, anna } = await setUpApp(postgres);
    acme.uninstall({ first });
    await slack.untilIdle();
    const { store } = services;
    await expect.poll(() => store.credentials.get({ workspace: acme.id })).toBeUndefined();
    await expect.poll(() => store.installations.get(acme.id)).toBeUndefined();
    await expect
      .poll(async () => (await store.pool.query('select from dropline.audit where workspace = $1', [acme.id])).rowCount)
      .toBe(0);
    expect(anna.messages.filter(({ text }) => /went wrong/.test(text))).toEqual([]);
  },
);

test('the installer is welcomed only once the installation is stored', async () => {
  const { slack, url, services } = await setUpApp(postgres, { connected: false });
  const beta = slack.addWorkspace({ name: 'Beta' });
  const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
  const { pool } = services.store;
  const blocker = await pool.connect();
  await blocker.query('begin');
  await blocker.query(`insert into dropline.keyv (key, value, expires_at) values ($1, '', now())`, [
    `installation:${beta.id}`,
  ]);
  const installing = bea.installs(`${url}/slack/install`);
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1);
  expect(await services.queue.size()).toBe(0);
  await blocker.query('rollback');
  blocker.release();
  expect((await installing).status).toBe(200);
  await bea.opens('Dropline');
  await bea.sees('Next step: connect your file service.');
});

test('an installation with fewer scopes than asked for says what does not work', async () => {
  const { slack, url } = await setUpApp(postgres, { connected: false, hasPublicUrl: true });
  const beta = slack.addWorkspace({ name: 'Beta' });
  const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
  slack.behaviour.withheldScopes = ['users:read', 'files:write'];
  const page = await bea.installs(`${url}/slack/install`);
  expect(page.text).toContain("Slack didn't grant");
  expect(page.text).toContain('<code>users:read</code>');
  await bea.opens('Dropline');
  await bea.sees(/users:read: no one can use Dropline/i);
  await bea.sees('files:write');
  await bea.doesNotSee('Next step');
  await bea.types('/drop status');
  await bea.sees(/Slack didn't grant Dropline the permission users:read/);
  await bea.closes();
  slack.behaviour.withheldScopes = [];
  await bea.installs(`${url}/slack/install`);
  await bea.sees('Next step: connect your file service.');
});
