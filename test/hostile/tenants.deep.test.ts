import { connect as dial, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { makeDownloadLink } from '../../src/features/common/delivery/links.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { type ExchangeServer, startExchangeServer } from '../../src/sandbox/exchange/index.ts';
import { freePort } from '../../src/sandbox/free-port.ts';
import { signIn } from '../../src/sandbox/sign-in.ts';
import type { Person, Workspace } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startBot } from '../helpers/bot-process.ts';
import { deskOf } from '../helpers/desks.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { headerLines, unverifiedSlackHeaders } from '../helpers/unverified-headers.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

interface Tenants extends AppSetup {
  /** The attacking workspace, its owner and its service. */
  evil: Workspace;
  eve: Person;
  service: ExchangeServer;
}

/** Starts a bot in its own process that Acme shares with another workspace. */
async function setUpTenants(): Promise<Tenants> {
  const setup = await setUpApp(postgres, { hasExternalBot: true });
  const { slack, services, install } = setup;
  const port = String(await freePort(0));
  const bot = await startBot(programs, 'all', {
    ...setup.env,
    POLL_SECONDS: '5',
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
  slack.deliverTo(bot.url);
  const evil = slack.addWorkspace({ name: 'Evil' });
  const eve = evil.addPerson({ name: 'Eve', role: 'owner' });
  const channel = evil.addChannel({ name: 'inbox', members: [eve] });
  await install(evil, eve);
  await eve.opens('#inbox');
  await eve.types('/invite @dropline');
  const service = await startExchangeServer();
  onTestFinished(() => service.close());
  service.addAccount({ user, apiKey }).contacts.local = [{ email: 'carl@example.org', nick: 'Carl', groups: [] }];
  const login = { baseUrl: service.url, username: user, apiKey, inboxChannel: channel.id };
  await connect(services, { workspace: evil.id, person: eve.id }, login);
  await eve.sees('New files will be posted here.');
  await changeSettings(services, { workspace: setup.acme.id, person: setup.anna.id }, { undoSeconds: 0 });
  return { ...setup, url: bot.url, evil, eve, service };
}

/** Checks that people at Acme can run commands and send a file without delay. */
async function expectUnaffected({ bo, acme, account, slack }: Tenants): Promise<void> {
  const before = slack.deliveries.length;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await bo.opens('Dropline');
  for (let count = 0; count < 10; count += 1) {
    await bo.types('/drop help', { in: 'Dropline' });
    await bo.types('/drop status', { in: 'Dropline' });
    await bo.sees('Service is online.');
    await bo.closes();
  }
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
  delay.disable();
  // The simulated Slack runs in this process and can be late on a busy machine, so its own delay is added to the limit.
  // One command in ten can be late, because the bot's process can be delayed too.
  const limitMs = 1_000 + 2 * (delay.max / 1e6);
  const commands = slack.deliveries
    .slice(before)
    .filter(({ team, kind }) => team === acme.id && kind === 'slash_command');
  expect(commands.filter(({ outcome }) => outcome !== 'acked')).toEqual([]);
  const late = commands.filter(({ ms }) => ms >= limitMs).map(({ ms }) => ms);
  expect(late.length, `late: ${late.join(', ')} ms`).toBeLessThanOrEqual(commands.length / 10);
}

/** Repeats the work in the background until the test ends. */
function repeatDuringTest(work: () => Promise<unknown>): void {
  let isOver = false;
  const loop = async () => {
    while (!isOver) await work().catch(() => sleep(100));
  };
  const loopEnded = loop();
  onTestFinished(async () => {
    isOver = true;
    await loopEnded;
  });
}

/** Opens a connection to the bot and sends this request head. */
function sendHead(url: string, head: string): Socket {
  const socket = dial(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(head);
  return socket;
}

async function opensView(person: Person, command: string, text: string): Promise<void> {
  await person.types(command, { in: '#inbox' });
  await person.sees(text);
  await person.closes();
}

test('file names of 60 KB slow down no other workspace', async () => {
  const tenants = await setUpTenants();
  const { service, eve } = tenants;
  const files = [1, 2, 3].map((number) => ({ name: `a${' '.repeat(60_000)}b${number}.pdf`, data: 'x' }));
  await service.addInboxItem(user, { sender: 'mallory@example.org', files });
  repeatDuringTest(() => opensView(eve, '/drop inbox', 'mallory@example.org'));
  await expectUnaffected(tenants);
}, 120_000);

test('a CSV file of 2 MB slows down no other workspace', async () => {
  const tenants = await setUpTenants();
  const { eve } = tenants;
  const data = `email;nick\n${'a;b;c;d\n'.repeat(240_000)}`;
  repeatDuringTest(async () => {
    await eve.types('/drop contacts', { in: '#inbox' });
    await eve.clicks('Import');
    await eve.attaches('CSV file', [{ name: 'people.csv', data }]);
    await eve.submits('Preview import');
    await eve.closes();
  });
  await expectUnaffected(tenants);
}, 120_000);

test('stalled downloads delay no transfer of another workspace', async () => {
  const tenants = await setUpTenants();
  const { service, eve } = tenants;
  const names = Array.from({ length: 10 }, (_, number) => `file${number}.bin`);
  const stalled = service.addFault({ operation: 'download', kind: 'delay', times: 100 });
  await service.addInboxItem(user, { sender: 'm@example.org', files: names.map((name) => ({ name, data: 'x' })) });
  for (const name of names) await eve.clicks(`Download ${name}`);
  await stalled.triggered;
  await expectUnaffected(tenants);
  await stalled.release();
}, 120_000);

test('if browsers stall at their download links, no other workspace slows down', async () => {
  const tenants = await setUpTenants();
  const { service, services, evil, eve, url } = tenants;
  const data = Buffer.alloc(10_000_000);
  const item = await service.addInboxItem(user, { sender: 'm@example.org', files: [{ name: 'film.mp4', data }] });
  await eve.sees('film.mp4');
  const desk = await deskOf(services.store, evil.id);
  const linkFor = (person: Person) => {
    const actor = { ...desk, person: person.id };
    return makeDownloadLink({ ...services, publicUrl: url }, actor, { url: item.url, name: 'film.mp4' });
  };
  const people = Array.from({ length: 16 }, (_, number) => evil.addPerson({ name: `Eve${number}` }));
  for (const person of people) {
    const cookie = await signIn(await linkFor(person), person);
    for (let count = 0; count < 4; count += 1) {
      const { pathname } = new URL(await linkFor(person));
      const head = `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\ncontent-length: 0\r\n\r\n`;
      sendHead(url, head).pause();
    }
  }
  const headers = { cookie: await signIn(await linkFor(eve), eve) };
  const nextStatus = async () => (await fetch(await linkFor(eve), { method: 'POST', headers })).status;
  await expect.poll(nextStatus, { timeout: 20_000 }).toBe(429);
  await expectUnaffected(tenants);
}, 120_000);

test('a history of large entries slows down no other workspace', async () => {
  const tenants = await setUpTenants();
  const { service, eve } = tenants;
  const entry = JSON.stringify({ ddmessage: 'x'.repeat(2_000_000), recipients: [] });
  const body = `{"history":[${Array(30).fill(entry).join(',')}],"inbox":[]}`;
  service.addFault({ operation: 'get_history', kind: 'answer', times: 10_000, answer: { body } });
  repeatDuringTest(() => opensView(eve, '/drop history', 'History'));
  await expectUnaffected(tenants);
}, 120_000);

test("commands that wait for a lock don't use up the connections of other workspaces", async () => {
  const tenants = await setUpTenants();
  const { service, evil, eve } = tenants;
  const people = Array.from({ length: 110 }, (_, number) => evil.addPerson({ name: `Eve${number}` }));
  const stalled = service.addFault({ operation: 'upload', kind: 'delay' });
  await stages(eve, [{ name: 'a.bin', data: 'x' }]);
  await reviews(eve);
  await confirms(eve, 1);
  await stalled.triggered;
  await Promise.all(people.map((person) => person.types('/drop files', { in: 'Dropline' })));
  await expectUnaffected(tenants);
  await stalled.release();
}, 120_000);

test('large forged requests slow down no workspace', async () => {
  const tenants = await setUpTenants();
  const head = `POST /slack/events HTTP/1.1\r\nhost: x\r\n${headerLines(unverifiedSlackHeaders())}content-type: application/json\r\ncontent-length: 1000000\r\n\r\n`;
  for (let number = 0; number < 100; number += 1) sendHead(tenants.url, head).write(Buffer.alloc(900_000, ' '));
  await expectUnaffected(tenants);
}, 120_000);
