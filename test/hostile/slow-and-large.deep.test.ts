import { Agent, request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { makeKeyPage } from '../../src/features/account/connect/page.ts';
import { makeDownloadLink } from '../../src/features/common/delivery/links.ts';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { deskOf } from '../helpers/desks.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { unverifiedSlackHeaders } from '../helpers/unverified-headers.ts';

const postgres = startTestPostgres();
const clientTimeouts = { headMs: 1_500, requestMs: 2_000, checkMs: 50 };

const keyPage = async ({ services, acme, anna, exchange }: AppSetup) => {
  const draft = { baseUrl: exchange.url, username: user };
  return (await makeKeyPage(services, { workspace: acme.id, person: anna.id }, draft)).url;
};

const bodyBytes = 40_000_000;

/** Sends up to 40 MB without a content-length. Resolves with the status and the bytes sent before it arrived. */
function sendLarge(url: string, method = 'POST', more = {}): Promise<{ status: number; sent: number }> {
  return new Promise((resolve, reject) => {
    const chunk = Buffer.alloc(65_536, 'key=');
    let sent = 0;
    let isOver = false;
    const agent = new Agent({ keepAlive: true });
    const request = httpRequest(url, {
      method,
      // Keep-alive as in browsers; otherwise the server closes the connection before reading everything.
      agent,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked', ...more },
    });
    const write = () => {
      while (!isOver && sent < bodyBytes) {
        sent += chunk.length;
        if (request.write(chunk)) continue;
        request.once('drain', write);
        return;
      }
      if (!isOver) request.end();
    };
    request.on('error', (error) => (isOver ? undefined : reject(error)));
    request.on('response', (response) => {
      isOver = true;
      response.resume();
      resolve({ status: response.statusCode ?? 0, sent });
      request.destroy();
      agent.destroy();
    });
    write();
  });
}

test('a client that waits for a slow answer is not disconnected', async () => {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl: true, clientTimeouts });
  const page = await keyPage(setup);
  const slow = setup.exchange.addFault({ operation: 'index', kind: 'delay' });
  const headers = { cookie: await signIn(page, setup.anna) };
  const posted = fetch(page, { method: 'POST', headers, body: new URLSearchParams({ key: apiKey }) });
  await slow.triggered;
  await new Promise((resolve) => setTimeout(resolve, clientTimeouts.requestMs + 300));
  await slow.release();
  expect((await posted).status).toBe(200);
});

test('a body of 40 MB is refused or ignored on every path and changes nothing', async () => {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl: true });
  const { url, acme, services, exchange, anna, bo } = setup;
  const page = await keyPage(setup);
  const headers = { cookie: await signIn(page, anna) };
  const link = await makeDownloadLink(
    services,
    { ...(await deskOf(services.store, acme.id)), person: bo.id },
    { url: 'x', name: 'a.pdf' },
  );
  const before = process.memoryUsage().rss;
  expect((await sendLarge(`${url}/slack/events`)).status).toBe(401);
  const events = await sendLarge(`${url}/slack/events`, 'POST', unverifiedSlackHeaders());
  expect(events.status).toBe(413);
  expect(events.sent).toBeLessThan(25_000_000);
  expect((await sendLarge(page)).status).toBe(403);
  expect((await sendLarge(page, 'POST', headers)).status).toBe(400);
  for (const path of ['/connect/x.y', '/d/x.y', '/nowhere', '/slack/install', '/slack/oauth_redirect', '/slack/x']) {
    expect((await sendLarge(url + path)).status, path).toBeOneOf([404, 400]);
  }
  expect((await sendLarge(`${url}/readyz`)).status).toBe(200);
  expect((await sendLarge(page, 'PUT')).status).toBe(200);
  expect((await sendLarge(link, 'PUT')).status).toBe(200);
  // Up to 520 MB were sent in total.
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  expect(exchange.calls).toEqual([]);
  // The one-time page still works.
  const posted = await fetch(page, { method: 'POST', headers, body: new URLSearchParams({ key: apiKey }) });
  expect(posted.status).toBe(200);
});
