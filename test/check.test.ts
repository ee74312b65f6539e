import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { checkAll } from '../src/check/checks.ts';
import { freePort } from '../src/sandbox/free-port.ts';
import { openStore } from '../src/store/index.ts';
import { startTestPostgres, type TestDatabase } from './helpers/postgres.ts';
import { executeAsAdmin } from './helpers/postgres-address.ts';
import { runMain, usePrograms } from './helpers/program.ts';
import { serve } from './helpers/serve.ts';
import { appSecrets, startSlackApp } from './helpers/slack-app.ts';
import { startTransactionPooler } from './helpers/transaction-pooler.ts';

const postgres = startTestPostgres();
const run = runMain(usePrograms());

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Shared by the tests that need no other database, because a check changes nothing. */
let database: Promise<TestDatabase> | undefined;

/** The environment variables of a correct deployment, in Socket Mode. */
async function setUp() {
  const { slack, botToken } = await startSlackApp(undefined);
  database ??= postgres.createDatabase();
  const { connectionString } = await database;
  const env = {
    ENV_FILE: 'none',
    PORT: String(await freePort(0)),
    HOST: '127.0.0.1',
    DATABASE_URL: connectionString,
    SECRET_KEY: randomBytes(32).toString('base64'),
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appSecrets.appToken,
  };
  return { slack, env };
}

/** Runs all checks. Returns the results with these names, each as one line: status, message and fix. */
async function runChecks(env: NodeJS.ProcessEnv, ...names: string[]): Promise<string[]> {
  const results = await checkAll(env);
  return names.flatMap((name) =>
    results
      .filter((result) => result.name === name)
      .map(({ status, message, fix = '' }) => `${status}: ${message} ${fix}`.trim()),
  );
}

test('the check command passes for a complete deployment, as text and as JSON', async () => {
  const { env } = await setUp();
  const { code, printed } = await run(['check'], env);
  expect({ code, printed }).toMatchObject({ code: 0 });
  expect(printed).not.toContain('✗');
  const passed = printed.split('\n').filter((line) => line.startsWith('✓'));
  expect(passed.map((line) => line.slice(2).split(':')[0])).toEqual([
    'variables',
    'database',
    'database version',
    'database rights',
    'database connections',
    'key',
    'slack token',
    'slack scopes',
    'socket mode',
    'clock and slack',
    'clock and database',
  ]);
  const json = await run(['check', '--json'], env);
  const { ok, checks } = JSON.parse(json.printed);
  expect({ code: json.code, ok }).toEqual({ code: 0, ok: true });
  expect(checks).toContainEqual({ name: 'slack token', status: 'ok', message: '@dropline in the workspace Acme' });
});

test('the check command changes nothing in an empty database', async () => {
  const { env } = await setUp();
  const { connectionString: DATABASE_URL, connection } = await postgres.createDatabase({ isEmpty: true });
  expect(await runChecks({ ...env, DATABASE_URL }, 'database version', 'database rights', 'key')).toEqual([
    expect.stringMatching(/^ok: Postgres \d+, no data yet$/),
    'ok: can create and change its tables',
    'ok: no data yet',
  ]);
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(`select to_regnamespace('dropline') as schema`);
  await client.end();
  expect(rows).toEqual([{ schema: null }]);
});

test("without DATABASE_URL, the check command doesn't create DATA_DIR", async () => {
  const { env } = await setUp();
  const DATA_DIR = join(await makeFolder(), 'data');
  const found = await runChecks({ ...env, DATABASE_URL: '', DATA_DIR }, 'database', 'key', 'disk');
  expect(found[0]).toBe(`skipped: embedded: it is created in ${DATA_DIR} at the first start`);
  expect(found[1]).toBe('skipped: not checked without a database');
  expect(found[2]).toMatch(/^ok: [\d.]+ GB free/);
  await expect(chmod(DATA_DIR, 0o700)).rejects.toThrow('ENOENT');
});

test('the check command reports a missing or unreachable database and a pooler', async () => {
  const { env } = await setUp();
  const closed = `postgresql://x@127.0.0.1:${await freePort(0)}/x`;
  expect(await runChecks({ ...env, DATABASE_URL: closed }, 'database', 'database rights')).toEqual([
    expect.stringMatching(/^failed: The database can't be used: .*ECONNREFUSED.* Start Postgres, or correct/),
    'skipped: not checked without a database',
  ]);
  const missing = env.DATABASE_URL.replace(/test_\w+/, 'nowhere');
  expect(await runChecks({ ...env, DATABASE_URL: missing }, 'database')).toEqual([
    expect.stringMatching(/"nowhere" does not exist Create the database \(createdb\)/),
  ]);
  const { host, port, user } = await startTransactionPooler(await postgres.createDatabase());
  const DATABASE_URL = `postgresql://${user}@${host}:${port}/any`;
  expect(await runChecks({ ...env, DATABASE_URL }, 'database')).toEqual([
    expect.stringMatching(/a pooler that doesn't pool by session, .* set the pooler to session pooling\.$/),
  ]);
});

test('the check command reports missing database rights and too few connections', async () => {
  const { env } = await setUp();
  const role = `poor_${randomBytes(4).toString('hex')}`;
  const { connectionString } = await postgres.createDatabase({ isEmpty: true });
  const name = /test_\w+/.exec(connectionString)?.[0];
  await executeAsAdmin(inject('postgres'), `create role ${role} login connection limit 3`);
  onTestFinished(() => executeAsAdmin(inject('postgres'), `drop role ${role}`));
  const DATABASE_URL = connectionString.replace(/\/\/[^@]*@/, `//${role}@`);
  expect(await runChecks({ ...env, DATABASE_URL }, 'database rights', 'database connections')).toEqual([
    `failed: The account can't create schemas in the database ${name} As an administrator: grant create on database ${name} to ${role}`,
    'failed: 3 available, a process uses up to 25 Raise max_connections, or the limit of this account or database.',
  ]);
});

test('the check command reports a wrong SECRET_KEY', async () => {
  const { env } = await setUp();
  const { connectionString: DATABASE_URL, connection } = await postgres.createDatabase();
  const secretKey = randomBytes(32);
  const store = await openStore({ connection, secretKeys: [secretKey] });
  onTestFinished(() => store.close());
  expect(await runChecks({ ...env, DATABASE_URL, SECRET_KEY: secretKey.toString('base64') }, 'key')).toEqual([
    'ok: decrypts the data',
  ]);
  expect(await runChecks({ ...env, DATABASE_URL }, 'key')).toEqual([
    expect.stringContaining("failed: SECRET_KEY doesn't decrypt the data"),
  ]);
});

test('the check command suggests fixes for wrong credentials and an unreachable Slack', async () => {
  const { env, slack } = await setUp();
  const wrong = { ...env, SLACK_BOT_TOKEN: 'xoxb-0', SLACK_APP_TOKEN: 'xapp-0' };
  expect(await runChecks(wrong, 'slack token', 'slack scopes', 'socket mode')).toEqual([
    'failed: Slack refuses it (invalid_auth) Copy the token again, from the Slack app that you created.',
    'skipped: not checked without a token',
    'failed: Slack refuses it (invalid_auth) Copy the token again, from the Slack app that you created.',
  ]);
  const oauth = { SLACK_CLIENT_ID: appSecrets.clientId, SLACK_CLIENT_SECRET: appSecrets.clientSecret };
  expect(await runChecks({ ...env, ...oauth }, 'slack app')).toEqual(['ok: Slack knows the client ID and secret']);
  expect(await runChecks({ ...env, ...oauth, SLACK_CLIENT_ID: '1.2' }, 'slack app')).toEqual([
    expect.stringContaining('(invalid_client_id) Copy the client ID again'),
  ]);
  expect(await runChecks({ ...env, ...oauth, SLACK_CLIENT_SECRET: appSecrets.signingSecret }, 'slack app')).toEqual([
    expect.stringContaining('(bad_client_secret) Copy the client secret again'),
  ]);
  await slack.close();
  const found = await runChecks(env, 'slack token', 'socket mode', 'clock and slack');
  for (const line of found) expect(line).toMatch(/^failed: Slack can't be reached \(.*\) Check that/);
});

test('the check command fails if a required scope is missing, not for an optional one', async () => {
  const { env } = await setUp();
  for (const [declined, expected] of [
    ['files:write', 'ok: all 7 that are needed; without files:write, which is optional'],
    ['users:read', expect.stringContaining('failed: The app lacks users:read')],
  ] as const) {
    const { slack, botToken } = await startSlackApp(undefined, { declined: [declined] });
    const found = await runChecks({ ...env, SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: botToken }, 'slack scopes');
    expect(found).toEqual([expected]);
  }
});

test('the check command says to turn on Socket Mode if it is off', async () => {
  const { env } = await setUp();
  const { slack, botToken } = await startSlackApp('https://drop.example.org');
  const found = await runChecks({ ...env, SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: botToken }, 'socket mode');
  expect(found).toEqual([expect.stringContaining('(access_denied) Turn Socket Mode on')]);
});

/** Starts a proxy to the port that sends requests with the HTTP version `version`. Resolves with its URL. */
function proxyTo(port: string, version = '1.1'): Promise<string> {
  return serve(
    createTcpServer((client) => {
      const upstream = connect(Number(port), '127.0.0.1').on('error', () => client.destroy());
      client
        .on('error', () => upstream.destroy())
        .on('data', (data) => {
          upstream.write(String(data).replace('HTTP/1.1\r\n', `HTTP/${version}\r\n`));
        });
      upstream.pipe(client);
    }),
  );
}

test('the check command fails unless PUBLIC_URL leads to this machine over HTTP/1.1', async () => {
  const { env } = await setUp();
  const at = (PUBLIC_URL: string) => runChecks({ ...env, PUBLIC_URL }, 'public address');
  const proxy = await proxyTo(env.PORT);
  expect(await at(proxy)).toEqual([`ok: ${proxy} leads here`]);
  expect(await at(await proxyTo(env.PORT, '1.0'))).toEqual([
    'failed: The proxy speaks HTTP/1.0 to Dropline nginx: set proxy_http_version 1.1.',
  ]);
  const other = await serve(createServer((_, response) => response.end('{"alive":true}')));
  expect(await at(other)).toEqual([
    expect.stringContaining(`failed: ${other} leads to something else Point the proxy`),
  ]);
  const broken = await serve(createServer((_, response) => response.writeHead(502).end()));
  expect(await at(broken)).toEqual([expect.stringContaining('/healthz answers with 502')]);
  expect(await at(`http://127.0.0.1:${await freePort(0)}`)).toEqual([expect.stringContaining("can't be reached")]);
});

test("the check command fails if the clock differs from Slack's by ten minutes", async () => {
  const { env } = await setUp();
  const answers = createServer((_, response) => {
    response.sendDate = false;
    response.writeHead(200, { date: new Date(Date.now() + 10 * 60_000).toUTCString() }).end('{"ok":true}');
  });
  const found = await runChecks(
    { ...env, SLACK_API_URL: await serve(answers) },
    'clock and slack',
    'clock and database',
  );
  expect(found).toEqual([
    expect.stringMatching(/^failed: This machine's clock is (599|600|601) s slow, compared with Slack Synchronise it/),
    expect.stringMatching(/^ok: 0 s difference from the database$/),
  ]);
});

test('the check command reports unknown hosts, variables and a world-readable env file', async () => {
  const { env } = await setUp();
  const ENV_FILE = join(await makeFolder(), 'env');
  await writeFile(ENV_FILE, 'SLACK_BOT_TOKN=x\n', { mode: 0o644 });
  const hosts = { EXCHANGE_HOSTS: 'localhost:8080, nowhere.invalid, *.example.org' };
  expect(await runChecks({ ...env, ...hosts, ENV_FILE }, 'service hosts', 'env file')).toEqual([
    'failed: No address for nowhere.invalid Correct EXCHANGE_HOSTS, or the DNS of this machine.',
    `failed: Others can read ${ENV_FILE} chmod 600 ${ENV_FILE}`,
  ]);
  await chmod(ENV_FILE, 0o600);
  expect(await runChecks({ ...env, EXCHANGE_HOSTS: 'localhost', ENV_FILE }, 'service hosts', 'env file')).toEqual([
    'ok: localhost',
    expect.stringContaining('has unknown names: SLACK_BOT_TOKN'),
  ]);
});
