import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { apiKey, user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpKeyPage } from './key-page.ts';

const postgres = startTestPostgres();

test('the key page confirms the connection even if Slack rejects the message about it', async () => {
  const { anna, post, services, acme, slack, logged } = await setUpKeyPage(postgres);
  const refused = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'internal_error', times: 5 });
  const answer = await post(apiKey);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('<h1>Connected</h1>');
  expect(await services.store.credentials.get({ workspace: acme.id })).toMatchObject({ connectedBy: anna.id });
  await refused.triggered;
  await until(() => logged().includes('the person was not notified in Slack') || undefined, 'the log line');
});

test('an admin enters the key on the key page in Socket Mode', async () => {
  const { open, post, services, acme } = await setUpKeyPage(postgres, { socketMode: true });
  expect((await open()).status).toBe(200);
  expect((await post(apiKey)).status).toBe(200);
  expect(await services.store.credentials.get({ workspace: acme.id })).toMatchObject({ username: user });
});

test('without a sign-in, the key page shows who asks and requires the code from Slack', async () => {
  const { open, post, code, services, acme, exchange } = await setUpKeyPage(postgres, { socketMode: true });
  const text = await (await open()).text();
  expect(text).toMatch(/<b>Anna<\/b> in the Slack workspace <b>Acme<\/b> \([\w.:-]+\) asks for it\./);
  expect(text).not.toContain(code);
  const calls = exchange.calls.length;
  for (const typed of ['', code === '000000' ? '000001' : '000000']) {
    const answer = await post(apiKey, typed);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('the code that Slack shows.')]);
  }
  expect(exchange.calls).toHaveLength(calls);
  expect((await post(apiKey, ` ${code} `)).status).toBe(200);
  expect(await services.store.credentials.get({ workspace: acme.id })).toMatchObject({ username: user });
});

test('five wrong codes close the key page, even if they are sent at the same time', async () => {
  const { post, code, exchange } = await setUpKeyPage(postgres, { socketMode: true });
  const wrong = code === '000000' ? '000001' : '000000';
  let refused = 0;
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([post(apiKey, wrong), post(apiKey, wrong), post(apiKey, wrong)]);
    refused += answers.filter(({ status }) => status === 400).length;
  }
  expect(refused).toBe(5);
  expect((await post(apiKey)).status).toBe(404);
  expect(exchange.calls).toEqual([]);
});

test("a wrong key doesn't extend the lifetime of the key page", async () => {
  const { post, services } = await setUpKeyPage(postgres);
  const readExpiry = async () => {
    const { rows } = await services.store.pool.query(
      `select expires_at from dropline.keyv where key like 'key-page:%'`,
    );
    return Number(rows[0]?.expires_at);
  };
  const before = await readExpiry();
  await sleep(1_100);
  expect((await post('wrong')).status).toBe(400);
  expect(Math.abs((await readExpiry()) - before)).toBeLessThan(1_000);
});

test('the key page can be submitted again after an internal error', async () => {
  const { post, services, acme } = await setUpKeyPage(postgres);
  const { pool } = services.store;
  const key = `workspace-settings:${acme.id}`;
  await pool.query("insert into dropline.keyv (key, value) values ($1, 'not encrypted by us')", [key]);
  const first = await post(apiKey);
  expect([first.status, await first.text()]).toEqual([500, expect.stringContaining('<h1>Something went wrong</h1>')]);
  await pool.query('delete from dropline.keyv where key = $1', [key]);
  expect((await post(apiKey)).status).toBe(200);
  expect(await services.store.credentials.get({ workspace: acme.id })).toMatchObject({ username: user });
});

test('the key page accepts only one of several concurrent submissions', async () => {
  const { post } = await setUpKeyPage(postgres);
  const answers = await Promise.all([post(apiKey), post(apiKey), post(apiKey)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
});

test.each(['open', 'closed'])('an interrupted command continues after the key page (dialog %s)', async (dialog) => {
  const { anna, post } = await setUpKeyPage(postgres, {}, '/drop contacts carl');
  if (dialog === 'closed') await anna.closes();
  await post(apiKey);
  if (dialog === 'closed') await anna.opens('Dropline');
  await anna.clicks('Continue with /drop contacts carl');
  await anna.sees('carl@example.org');
});
