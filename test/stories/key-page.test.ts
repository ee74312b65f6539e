import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { type AppSetupOptions, setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function atThePage(options: AppSetupOptions = {}) {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl: true, ...options });
  const { anna, exchange } = setup;
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Address of the service', exchange.url);
  await anna.fills("The account's e-mail address", user);
  await anna.submits('Next');
  await anna.clicks('Open the page');
  const [page = ''] = anna.opened;
  // In Socket Mode the app has no client id, and nobody can sign in.
  const cookie = options.socketMode === true ? '' : await signIn(page, anna);
  const open = () => fetch(page, { headers: { cookie } });
  const post = (key: string, workspace = 'Acme') =>
    fetch(page, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ key, workspace }),
      redirect: 'error',
    });
  return { ...setup, page, open, post };
}

test('the key is entered on a page of ours, once; Slack never sees it', async () => {
  const { anna, page, open, post, services, acme, slack, logged } = await atThePage();
  const shown = await open();
  expect(shown.status).toBe(200);
  expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
  expect(shown.headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  const text = await shown.text();
  expect(text).toContain('type="password"');
  expect(text).not.toMatch(/<script|src=|https?:\/\/(?!127\.0\.0\.1)/);
  expect((await post(apiKey)).status).toBe(200);
  expect(await services.store.credentials.get(acme.id)).toMatchObject({ username: user, connectedBy: anna.id });
  await anna.closes();
  await anna.opens('Dropline');
  await anna.sees('is connected to the file service now');
  expect((await post(apiKey)).status).toBe(404);
  expect(JSON.stringify(slack.calls)).not.toContain(apiKey);
  expect(logged()).not.toContain(apiKey);
  expect(logged()).not.toContain(page.split('.').at(-1));
});

test('who is connected reads so on the page, also where Slack does not take the message about it', async () => {
  const { anna, post, services, acme, slack, logged } = await atThePage();
  const refused = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'internal_error', times: 5 });
  const answer = await post(apiKey);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('<h1>Connected</h1>');
  expect(await services.store.credentials.get(acme.id)).toMatchObject({ connectedBy: anna.id });
  await refused.struck;
  await until(() => logged().includes('the person was not told in Slack') || undefined, 'the log');
});

test('the page is there in Socket Mode, too', async () => {
  const { open, post, services, acme } = await atThePage({ socketMode: true });
  expect((await open()).status).toBe(200);
  expect((await post(apiKey)).status).toBe(200);
  expect(await services.store.credentials.get(acme.id)).toMatchObject({ username: user });
});

test('a wrong key may be corrected, five times at most; a made-up address opens nothing', async () => {
  const { page, post, services, acme } = await atThePage();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const answer = await post(`wrong ${attempt}`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('refuses this account and key');
  }
  expect((await post(apiKey)).status).toBe(404);
  expect((await fetch(`${page.slice(0, -4)}AAAA`)).status).toBe(404);
  expect(await services.store.credentials.get(acme.id)).toBeUndefined();
});

test('where nobody can sign in, the page names who asks and wants the name of their workspace', async () => {
  const { open, post, services, acme, exchange } = await atThePage({ socketMode: true });
  const text = await (await open()).text();
  expect(text).toMatch(/<b>Anna<\/b> in the Slack workspace <b>Acme<\/b> \([\w.:-]+\) asks for it\./);
  const calls = exchange.calls.length;
  for (const workspace of ['', 'Acme Ltd']) {
    const answer = await post(apiKey, workspace);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('That is not the name of the workspace.');
  }
  expect(exchange.calls).toHaveLength(calls);
  expect((await post(apiKey, ' acme ')).status).toBe(200);
  expect(await services.store.credentials.get(acme.id)).toMatchObject({ username: user });
});

test('a wrong key does not make the page last longer', async () => {
  const { post, services } = await atThePage();
  const endOf = async () => {
    const { rows } = await services.store.pool.query(
      `select expires_at from dropline.keyv where key like 'connect-page:%'`,
    );
    return Number(rows[0]?.expires_at);
  };
  const before = await endOf();
  await sleep(1_100);
  expect((await post('wrong')).status).toBe(400);
  expect(Math.abs((await endOf()) - before)).toBeLessThan(1_000);
});

test('of two who submit at once, one is heard', async () => {
  const { post } = await atThePage();
  const answers = await Promise.all([post(apiKey), post(apiKey), post(apiKey)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
});

test('a page that failed because of us can be sent again', async () => {
  const { post, services, acme } = await atThePage();
  const { pool } = services.store;
  const key = `settings:${acme.id}`;
  await pool.query("insert into dropline.keyv (key, value) values ($1, 'not encrypted by us')", [key]);
  const first = await post(apiKey);
  expect([first.status, await first.text()]).toEqual([500, 'Something went wrong on our side.\n']);
  await pool.query('delete from dropline.keyv where key = $1', [key]);
  expect((await post(apiKey)).status).toBe(200);
  expect(await services.store.credentials.get(acme.id)).toMatchObject({ username: user });
});

test('the command that was interrupted goes on, by a button, after the key was entered on the page', async () => {
  const { anna, exchange } = await setUpApp(postgres, { connected: false, hasPublicUrl: true });
  await anna.types('/drop contacts carl', { in: '#general' });
  await anna.fills('Address of the service', exchange.url);
  await anna.fills("The account's e-mail address", user);
  await anna.submits('Next');
  await anna.clicks('Open the page');
  const [page = ''] = anna.opened;
  const headers = { cookie: await signIn(page, anna) };
  await fetch(page, { method: 'POST', headers, body: new URLSearchParams({ key: apiKey }) });
  await anna.closes();
  await anna.opens('Dropline');
  await anna.clicks('Go on with /drop contacts carl');
  await anna.sees('carl@example.org');
});
