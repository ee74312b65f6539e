import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { makeDownloadLink } from '../../src/features/common/delivery/links.ts';
import { pollOnce } from '../../src/features/inbox/poll/operations.ts';
import { claimPolls } from '../../src/features/inbox/poll/repository.ts';
import { freePort } from '../../src/sandbox/free-port.ts';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startBot } from '../helpers/bot-process.ts';
import { deskOf } from '../helpers/desks.ts';
import { user } from '../helpers/exchange.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

/** Starts the bot in the role `web` and directs Slack's deliveries to it. */
async function startWeb({ env, slack }: AppSetup) {
  const port = String(await freePort(0));
  const bot = await startBot(programs, 'web', { ...env, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  slack.deliverTo(bot.url);
  return bot;
}

const isListening = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

test('SIGTERM closes the port, and acknowledged commands still get their answers', async () => {
  const setup = await setUpApp(postgres, { hasExternalBot: true });
  const { bo, exchange } = setup;
  const bot = await startWeb(setup);
  const slow = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await bo.types('/drop history', { in: '#general' });
  await slow.triggered;
  bot.child.kill('SIGTERM');
  await expect.poll(() => isListening(bot.url), { timeout: 10_000 }).toBe(false);
  // Wait longer than the server waits for an idle client.
  await sleep(1_500);
  expect(bot.child.exitCode).toBeNull();
  await slow.release();
  await bo.sees('Nothing sent yet');
  expect(await bot.ended).toEqual({ code: 0, signal: null });
}, 60_000);

test('a download by link finishes after SIGTERM', async () => {
  const setup = await setUpApp(postgres, { hasExternalBot: true });
  const { anna, acme, exchange, services } = setup;
  const bot = await startWeb(setup);
  const data = Buffer.alloc(48_000_000, 'more than all the buffers on the way hold; ');
  const { url } = await exchange.addInboxItem(user, {
    sender: 'carl@example.org',
    files: [{ name: 'film.mp4', data }],
  });
  for (const claim of await claimPolls(services.store.pool, 1))
    await pollOnce(services, claim, 60_000, AbortSignal.timeout(60_000));
  const actor = { ...(await deskOf(services.store, acme.id)), person: anna.id };
  const link = await makeDownloadLink({ ...services, publicUrl: bot.url }, actor, { url, name: 'film.mp4' });
  const headers = { cookie: await signIn(link, anna) };
  const { statusCode, body } = await request(link, { method: 'POST', headers });
  expect(statusCode).toBe(200);
  bot.child.kill('SIGTERM');
  await expect.poll(() => isListening(bot.url), { timeout: 10_000 }).toBe(false);
  await sleep(1_500);
  expect(sha256(Buffer.from(await body.arrayBuffer()))).toBe(sha256(data));
  expect(await bot.ended).toEqual({ code: 0, signal: null });
}, 60_000);
