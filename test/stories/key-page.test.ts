import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpKeyPage } from './key-page.ts';

const postgres = startTestPostgres();

test('the key page accepts a key once, and Slack never sees the key', async () => {
  const { anna, page, open, post, services, acme, slack, logged } = await setUpKeyPage(postgres);
  const response = await open();
  expect(response.status).toBe(200);
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const text = await response.text();
  expect(text).toContain('type="password"');
  expect(text).not.toMatch(/<script|src=|https?:\/\/(?!127\.0\.0\.1)/);
  const done = await post(apiKey);
  expect(done.status).toBe(200);
  expect(await done.text()).toContain('Done, go back to Slack.');
  expect(await services.store.credentials.get({ workspace: acme.id })).toMatchObject({
    username: user,
    connectedBy: anna.id,
  });
  await anna.closes();
  await anna.opens('Dropline');
  await anna.sees(`Connected to the file service as ${user}.`);
  expect((await post(apiKey)).status).toBe(404);
  expect(JSON.stringify(slack.calls)).not.toContain(apiKey);
  expect(logged()).not.toContain(apiKey);
  expect(logged()).not.toContain(page.split('.').at(-1));
});

test('five wrong keys close the key page, and a made-up link returns 404', async () => {
  const { page, post, services, acme } = await setUpKeyPage(postgres);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const answer = await post(`wrong ${attempt}`);
    expect(answer.status).toBe(400);
    const text = await answer.text();
    expect(text).toContain('Wrong account or API key');
    // The account can be wrong too.
    expect(text.includes('Change URL or account')).toBe(attempt < 4);
  }
  expect((await post(apiKey)).status).toBe(404);
  expect((await fetch(`${page.slice(0, -4)}AAAA`)).status).toBe(404);
  expect(await services.store.credentials.get({ workspace: acme.id })).toBeUndefined();
});

test('the connect dialog in Slack updates when the key is entered on the key page', async () => {
  const { anna, post } = await setUpKeyPage(postgres);
  await post('wrong');
  await anna.sees('Enter the key on a secure page.');
  await post(apiKey);
  await anna.sees(`Connected to the file service as ${user}.`);
  await anna.clicks('Send files');
  await anna.sees('Review');
});

test('a wrong URL is changed in Slack, where the form still has what was typed', async () => {
  const { anna, exchange, open, post } = await setUpKeyPage(postgres, {}, '/drop contacts carl');
  exchange.addFault({ operation: 'index', kind: 'answer', answer: { status: 404, body: 'nothing here' } });
  const answer = await post(apiKey);
  const text = await answer.text();
  expect([answer.status, text]).toEqual([400, expect.stringContaining('No account found at this URL.')]);
  expect(text).toContain('type /drop connect');
  expect(text).not.toContain('type="password"');
  await anna.clicks('Change URL or account');
  const typed = [`Service URL: ${exchange.url}`, `Account email: ${user}`, 'Expiry is counted in: days'];
  for (const field of typed) await anna.sees(field);
  await anna.closes();
  await anna.types('/drop connect', { in: '#general' });
  for (const field of typed) await anna.sees(field);
  // The URL was right after all: the page still takes the key.
  expect(await (await open()).text()).toContain('type="password"');
  expect((await post(apiKey)).status).toBe(200);
  await anna.closes();
  await anna.opens('Dropline');
  await anna.clicks('Continue with /drop contacts carl');
  await anna.sees('carl@example.org');
});

test('after another admin has connected, the form has their account, not an old draft', async () => {
  const { anna, acme, exchange, services } = await setUpKeyPage(postgres);
  exchange.addAccount({ user: 'other@example.com', apiKey });
  const draft = { baseUrl: exchange.url, username: 'other@example.com', apiKey };
  await connect(services, { workspace: acme.id, person: anna.id }, draft);
  await anna.closes();
  await anna.types('/drop connect', { in: '#general' });
  await anna.sees('Account email: other@example.com');
});
