import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect as openSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, readConfig, readEnvironment } from '../../src/config.ts';
import { connect } from '../../src/features/account/connect/operations.ts';
import type { Actor } from '../../src/features/common/services.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import { limits } from '../../src/sandbox/slack/check/limits.ts';
import { readiness } from '../helpers/bot-process.ts';
import { commandOf, deliver, formType } from '../helpers/deliver.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { createRandom } from '../helpers/seeded.ts';
import { serve } from '../helpers/serve.ts';
import { mutations } from '../hostile/mutations.ts';
import { forward, write } from '../hostile/replayed-service.ts';
import { mutate, oddText } from './inputs.ts';
import { concurrency, fuzz, type Random, repeat, setUpWatchedApp, timeoutMs, type WatchedApp } from './watched-bot.ts';

const postgres = startTestPostgres();
const programs = usePrograms();
const setUp = () => setUpWatchedApp(postgres, programs);

const addPeople = ({ acme }: WatchedApp) =>
  Array.from({ length: concurrency }, (_, lane) => acme.addPerson({ name: `Person ${lane}` }));

test(
  'the bot answers a command with any text',
  async () => {
    const app = await setUp();
    const { bo, acme, url, slack } = app;
    const send = async (random: Random) => {
      const body = commandOf(bo, acme, oddText(random), slack.apiUrl);
      expect((await deliver(url, body, { type: formType })).status).toBe(200);
    };
    await fuzz(app, 'command texts', send, { canLogErrors: true });
  },
  timeoutMs,
);

/** Records what Slack sends to the bot while a person uses it: commands, clicks, forms and events. */
async function recordDeliveries({ bo, slack }: WatchedApp) {
  await bo.opens('Dropline');
  for (const command of ['help', 'send', 'contacts', 'inbox', 'history', 'files', 'recipients', 'status', 'settings']) {
    await bo.types(`/drop ${command}`);
    await slack.untilIdle();
    if (bo.client.modals.length > 0) await bo.closes();
  }
  await bo.types('/drop contacts');
  await bo.sees('carl@example.org');
  await bo.clicks('Add contact');
  await bo.fills('Email', 'new@example.org');
  await bo.submits('Add');
  await slack.untilIdle();
  return slack.deliveries.map(({ kind, payload }) => ({ kind, payload: JSON.stringify(payload) }));
}

test(
  'the bot answers or refuses any modified payload of Slack',
  async () => {
    const app = await setUp();
    const recorded = await recordDeliveries(app);
    const send = async (random: Random) => {
      const { kind, payload } = random.pick(recorded);
      const text = mutate(payload, random).toString();
      const isEvent = kind === 'event';
      const body = isEvent
        ? text
        : kind === 'slash_command'
          ? formFieldsOf(text)
          : new URLSearchParams({ payload: text });
      // A refused body also closes the connection, sometimes before its answer is read. `fuzz` detects a crash later.
      const sent = deliver(app.url, String(body), { type: isEvent ? 'application/json' : formType });
      const status = await sent.then((answer) => answer.status).catch(() => 0);
      expect(status, text).toBeLessThan(500);
    };
    // Many at a time, because Bolt answers a payload that no listener accepts only after a few seconds.
    await fuzz(app, 'payloads of Slack', send, { lanes: 64, canLogErrors: true });
  },
  timeoutMs,
);

test("a submitted form with a block that isn't an object doesn't end the bot", async () => {
  const { acme, bo, bot } = await setUp();
  const view = { type: 'modal', callback_id: 'unknown', blocks: [null] };
  const payload = JSON.stringify({ type: 'view_submission', team: { id: acme.id }, user: { id: bo.id }, view });
  await deliver(bot.url, String(new URLSearchParams({ payload })), { type: formType });
  expect((await readiness(bot.url)).status).toBe(200);
  await bo.opens('Dropline');
  await bo.sees('Something went wrong');
});

function formFieldsOf(text: string): string {
  try {
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries(JSON.parse(text) as object)) fields.append(name, String(value));
    return fields.toString();
  } catch {
    return text;
  }
}

test(
  'the bot keeps running after any answer of the service',
  async () => {
    const app = await setUp();
    const { exchange, services, acme, anna, slack } = app;
    let count = 0;
    const service = createServer(async (request, response) => {
      const answer = await forward(exchange.url, request, Buffer.concat(await request.toArray()));
      count += 1;
      const random = createRandom(count);
      // Half of the answers stay as they are. Otherwise no operation would get beyond its first call.
      write(random.below(2) === 0 ? answer : random.pick(Object.values(mutations))(answer, random), response);
    });
    const baseUrl = await serve(service);
    const admin = { workspace: acme.id, person: anna.id };
    while (!(await tryConnect(services, admin, baseUrl))) await sleep(10);
    const people = addPeople(app);
    const commands = ['contacts', 'inbox', 'history', 'files', 'recipients', 'status', 'contacts add a@example.org'];
    await fuzz(app, 'answers of the service', async (random, lane) => {
      const person = people[lane];
      await person?.types(`/drop ${random.pick(commands)}`, { in: 'Dropline' });
      await slack.untilIdle();
      if (person?.client.modals.length !== 0) await person?.closes();
    });
  },
  timeoutMs,
);

const tryConnect = (services: TransferServices, admin: Actor, baseUrl: string) =>
  connect(services, admin, { baseUrl, username: user, apiKey }).then(
    () => true,
    () => false,
  );

test(
  'the import preview of any CSV file leaves the bot running without errors',
  async () => {
    const app = await setUp();
    const people = addPeople(app);
    const table = 'Email;Name;Groups\r\nfia@example.org;Fia;press|law\r\n"carl@example.org";"Carl ""C""";\r\n';
    await fuzz(app, 'CSV files', async (random, lane) => {
      const person = people[lane];
      if (person === undefined) return;
      const rows = random.below(20) === 0 ? 20_000 : 20;
      const data = random.pick([
        () => mutate(table.repeat(1 + random.below(50)), random),
        () => Buffer.from(oddText(random, 200)),
        () => random.bytes(1 + random.below(3_000)),
        () => Buffer.from(`Email,Name\n${`${oddText(random, 3)},x\n`.repeat(rows)}`),
        () => Buffer.from(table.repeat(rows), 'utf16le'),
      ])();
      await person.types('/drop contacts', { in: 'Dropline' });
      await person.clicks('Import');
      await person.attaches('CSV file', [
        { name: 'people.csv', data: data.subarray(0, limits.fileInput.bytesPerFile) },
      ]);
      await person.submits('Preview import');
      while (person.client.modals.length > 0) await person.closes();
    });
  },
  timeoutMs,
);

const paths = [
  '/',
  '/privacy',
  '/connect/',
  '/d/',
  '/slack/install',
  '/slack/oauth_redirect',
  '/slack/events',
  '/metrics',
  '/readyz',
];
const methods = ['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'CONNECT', 'x', ''];

function randomRequest(random: Random): Buffer {
  const path = random.pick(paths) + encodeURI(oddText(random, 5).toWellFormed());
  const query = random.pick(['', '?code=1&state=2', `?${encodeURIComponent(oddText(random, 5).toWellFormed())}`]);
  const body = oddText(random);
  const headers = [
    'host: x',
    `cookie: ${oddText(random, 5).replace(/[^ -~]/g, '')}`,
    `content-type: ${random.pick([formType, 'application/json', 'multipart/form-data', ''])}`,
    `content-length: ${random.pick([Buffer.byteLength(body), 0, -1, 1e9, 'x'])}`,
    random.pick([
      'transfer-encoding: chunked',
      'range: bytes=0-',
      'expect: 100-continue',
      'upgrade: websocket',
      'a: b',
    ]),
    `x-slack-request-timestamp: ${random.pick([Math.floor(Date.now() / 1000), 0, 'x'])}`,
    `x-slack-signature: v0=${random.pick(['0'.repeat(64), 'x', ''])}`,
  ].filter(() => random.below(3) > 0);
  const head = `${random.pick(methods)} ${path}${query} HTTP/${random.pick(['1.1', '1.0', '2.0'])}\r\n`;
  const request = Buffer.from(`${head}${headers.join('\r\n')}\r\n\r\n${body}`);
  return random.below(5) === 0 ? mutate(request.toString(), random) : request;
}

test(
  'no HTTP request causes an internal error, however malformed it is',
  async () => {
    const app = await setUp();
    const port = Number(new URL(app.url).port);
    await fuzz(app, 'browser requests', async (random) => {
      const socket = openSocket(port, '127.0.0.1').on('error', () => {});
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk));
      const closed = once(socket, 'close');
      socket.write(randomRequest(random));
      if (random.below(2) === 0) socket.end();
      await Promise.race([closed, sleep(100 + random.below(200))]);
      socket.destroy();
      await closed;
      // 503 is fine: too many unverified requests at a time.
      expect(answer).not.toMatch(/^HTTP\/1\.1 50[0-2]/);
    });
  },
  timeoutMs,
);

test(
  'any .env file is read or refused with a ConfigError',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dropline-env-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const example = `PORT=3000\nHOST=10.0.0.1\nPUBLIC_URL=https://d.example\nSECRET_KEY=${'a'.repeat(43)}=\nEXCHANGE_HOSTS=a.example\n`;
    let blockedMs = 0;
    const count = await repeat(async (random, lane) => {
      const ENV_FILE = join(folder, String(lane));
      await writeFile(ENV_FILE, random.pick([mutate(example, random), oddText(random, 300), random.bytes(500)]));
      const { user: before } = process.cpuUsage();
      try {
        readConfig('all', readEnvironment({ ENV_FILE }), false);
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
      }
      blockedMs = Math.max(blockedMs, (process.cpuUsage().user - before) / 1_000);
    });
    process.stdout.write(`fuzzed .env: ${count} inputs, event loop blocked for ${Math.round(blockedMs)} ms\n`);
    expect(blockedMs).toBeLessThan(200);
  },
  timeoutMs,
);
