import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../src/sandbox/free-port.ts';
import { cookieOf, followRedirect, opensPage, signsInAt } from '../src/sandbox/sign-in.ts';
import { startBot } from './helpers/bot-process.ts';
import { startTestPostgres } from './helpers/postgres.ts';
import { usePrograms } from './helpers/program.ts';
import { guideBlock, isInstalled, startCaddy, startNginx } from './helpers/proxies.ts';
import { describeIf, testIf } from './helpers/skips.ts';
import { fetchLink, setUpLinks } from './stories/download-link.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

/** The bot as a process behind a proxy, connected, with an inbox channel and downloads as links. */
async function setUpBehindProxy(startProxy: (botPort: number) => Promise<string>) {
  const port = await freePort(0);
  const proxy = await startProxy(port);
  const app = await setUpLinks(postgres, {
    hasExternalBot: true,
    async beforeConnect({ env, slack }) {
      await startBot(programs, 'all', { ...env, PORT: String(port), PUBLIC_URL: proxy, POLL_SECONDS: '5' });
      slack.deliverTo(proxy);
    },
  });
  return { ...app, proxy, port };
}

const data = randomBytes(3_000_000);

/** Installs the app, runs a command and gets a download link, all through the proxy. */
async function getLinkThrough(startProxy: (botPort: number) => Promise<string>) {
  const app = await setUpBehindProxy(startProxy);
  const { proxy, slack, anna, addItem, linkTo } = app;
  const beta = slack.addWorkspace({ name: 'Beta' });
  const bea = beta.addPerson({ name: 'Bea', role: 'owner' });
  const page = await bea.installs(`${proxy}/slack/install`);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Dropline is installed in Beta') });
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop send');
  await addItem('carl@example.org', [{ name: 'plan.pdf', data }]);
  const link = await linkTo('plan.pdf');
  expect(link.startsWith(`${proxy}/d/`)).toBe(true);
  return { ...app, link };
}

describeIf(isInstalled('nginx', '-v'), 'nginx not found', 'behind nginx, configured as in the guide', () => {
  test('people can install the app, type a command and open a download link', async () => {
    const { link } = await getLinkThrough(startNginx);
    expect((await fetchLink(link, 'GET')).status).toBe(200);
    const { status, body } = await fetchLink(link, 'POST');
    expect(status).toBe(200);
    expect(body.equals(data)).toBe(true);
  });

  test('a download over HTTP/1.0 is refused with a hint; its link works over HTTP/1.1', async () => {
    const { bo, link, proxy, port, exchange } = await getLinkThrough((botPort) =>
      startNginx(botPort, (config) => config.replace('proxy_http_version 1.1', 'proxy_http_version 1.0')),
    );
    for (const method of ['GET', 'POST'] as const) {
      const { status, body } = await fetchLink(link, method);
      expect(status).toBe(505);
      expect(body.toString()).toContain('nginx: proxy_http_version 1.1');
    }
    expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
    const right = await startNginx(port);
    const rightLink = link.replace(proxy, right);
    const { address, cookie } = await opensPage(rightLink);
    const signedIn = await followRedirect((await signsInAt(address, bo)).replace(proxy, right), cookie);
    expect((await fetchLink(rightLink, 'POST', cookieOf(signedIn))).body.equals(data)).toBe(true);
  });

  test('an interrupted download ends with an error at the client', async () => {
    const { link, exchange } = await getLinkThrough(startNginx);
    exchange.addFault({ operation: 'download', kind: 'reset-during' });
    // nginx answers with 502 if the head of the response had not arrived.
    const end = await fetchLink(link, 'POST').then(
      ({ status }) => status,
      () => 'cut off',
    );
    expect(['cut off', 502]).toContain(end);
  });
});

testIf(
  isInstalled('caddy', 'version'),
  'caddy not found',
  'behind Caddy as in the guide, a download link returns the file',
  async () => {
    const { link } = await getLinkThrough(startCaddy);
    expect((await fetchLink(link, 'POST')).body.equals(data)).toBe(true);
  },
);

const hasSystemd = isInstalled('systemd-analyze', '--version');

testIf(hasSystemd, 'systemd-analyze not found', 'systemd accepts the unit file of the guide', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-unit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // The path of Node differs between machines.
  const unit = guideBlock('ini').replace('/usr/bin/node', process.execPath);
  const verify = async (text: string) => {
    await writeFile(join(folder, 'dropline.service'), text);
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', [
      'verify',
      join(folder, 'dropline.service'),
    ]).catch((error: { stdout: string; stderr: string }) => error);
    return `${stdout}${stderr}`;
  };
  expect(await verify(unit)).not.toContain('dropline.service');
  expect(await verify(unit.replace('KillMode=mixed', 'KilMode=mixed'))).toMatch(/Unknown key.*'KilMode'/);
});
