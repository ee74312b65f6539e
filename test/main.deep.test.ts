import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { receiptFile, signedTextOf } from '../src/lib/receipt.ts';
import { freePort } from '../src/sandbox/free-port.ts';
import { startEmbeddedPostgres } from '../src/store/embedded/index.ts';
import { openStore } from '../src/store/index.ts';
import { makeDataDir, readiness, slackEnv, startBot, terminate } from './helpers/bot-process.ts';
import { sha256 } from './helpers/features.ts';
import { startTestPostgres } from './helpers/postgres.ts';
import { runMain, usePrograms } from './helpers/program.ts';
import { startTransactionPooler } from './helpers/transaction-pooler.ts';

const postgres = startTestPostgres();
const programs = usePrograms();
const start = (role: string, env: NodeJS.ProcessEnv) => startBot(programs, role, { ...slackEnv, ...env });

test('the roles web and worker share a database and a SECRET_KEY', async () => {
  const { connectionString: DATABASE_URL } = await postgres.createDatabase({ isEmpty: true });
  const SECRET_KEY = randomBytes(32).toString('base64');
  const [web, worker] = await Promise.all([
    start('web', { DATABASE_URL, SECRET_KEY }),
    start('worker', { DATABASE_URL, SECRET_KEY }),
  ]);
  expect(await readiness(web.url)).toEqual({ status: 200, database: true });
  expect(await readiness(worker.url)).toEqual({ status: 200, database: true, worker: true });
  expect(await terminate(worker)).toEqual({ code: 0, signal: null });
  expect(await terminate(web)).toEqual({ code: 0, signal: null });
});

test('neither a silent nor a busy client keeps the process from stopping', async () => {
  const { connectionString: DATABASE_URL } = await postgres.createDatabase();
  const bot = await start('worker', { DATABASE_URL, SECRET_KEY: randomBytes(32).toString('base64') });
  const silent = connect(Number(new URL(bot.url).port), '127.0.0.1').on('error', () => {});
  let isRequesting = true;
  const requests = (async () => {
    while (isRequesting) await readiness(bot.url).catch(() => sleep(5));
  })();
  expect(await terminate(bot)).toEqual({ code: 0, signal: null });
  isRequesting = false;
  silent.destroy();
  await requests;
});

test('an interrupted start leaves no Postgres running', async () => {
  const DATA_DIR = await makeDataDir();
  const bot = programs.run('src/main.ts', ['all'], { PORT: '0', DATA_DIR, ...slackEnv });
  await expect.poll(() => readPostmasterPid(DATA_DIR).catch(() => 0), { interval: 5 }).toBeGreaterThan(0);
  const { signal, code } = await terminate(bot);
  expect({ signal, clean: code === 0 || code === 1 }).toEqual({ signal: null, clean: true });
  await expect(readPostmasterPid(DATA_DIR)).rejects.toThrow('ENOENT');
});

test('after a key rotation, the reencrypt command encrypts all data with the new key', async () => {
  const { connectionString: DATABASE_URL, connection } = await postgres.createDatabase();
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const before = await openStore({ connection, secretKeys: [old] });
  await before.collection({ kind: 'note', schema: z.string() }).set('T1', 'kept');
  await before.close();
  const SECRET_KEY = `${next.toString('base64')},${old.toString('base64')}`;
  const { ended, printed } = programs.run('src/main.ts', ['reencrypt'], { DATABASE_URL, SECRET_KEY });
  expect(await ended).toMatchObject({ code: 0 });
  expect(printed()).toBe('Re-encrypted: 2\n');
  const after = await openStore({ connection, secretKeys: [next] });
  onTestFinished(() => after.close());
  expect(await after.collection({ kind: 'note', schema: z.string() }).get('T1')).toBe('kept');
});

test('the verify command names what was removed from the audit and fails', async () => {
  const { connectionString: DATABASE_URL, connection } = await postgres.createDatabase();
  const key = randomBytes(32);
  const store = await openStore({ connection, secretKeys: [key] });
  onTestFinished(() => store.close());
  for (const reference of ['r1', 'r2', 'r3'])
    await store.audit.record({ workspace: 'T1', person: 'U1', action: 'disconnect', outcome: 'done', reference });
  await store.chains.extend();
  const run = () => runMain(programs)(['verify'], { DATABASE_URL, SECRET_KEY: key.toString('base64') });
  const line = /^T1: entries 1 to 3, last hash [0-9a-f]{64}\n/;
  expect(await run()).toEqual({ code: 0, printed: expect.stringMatching(new RegExp(`${line.source}$`)) });
  await store.pool.query('delete from dropline.audit where chain_number = 2');
  expect(await run()).toEqual({
    code: 1,
    printed: expect.stringMatching(new RegExp(`${line.source}T1: ✗ entry 2 was removed\n$`)),
  });
});

test('with AUDIT_LOG, verify --log finds a restored backup', async () => {
  const { connectionString: DATABASE_URL, connection } = await postgres.createDatabase();
  const key = randomBytes(32);
  const store = await openStore({ connection, secretKeys: [key] });
  onTestFinished(() => store.close());
  const details = { target: 'sending', reason: 'Maintenance' } as const;
  const record = (reference: string) =>
    store.audit.record({ workspace: 'T1', person: 'U1', action: 'pause', outcome: 'done', reference, details });
  for (const reference of ['r1', 'r2']) await record(reference);
  await store.chains.extend();
  const { rows: backup } = await store.pool.query('select ends_encrypted from dropline.chains');
  await record('r3');
  const env = { DATABASE_URL, SECRET_KEY: key.toString('base64') };
  const worker = await start('worker', { ...env, AUDIT_LOG: 'true' });
  const lines = () => worker.printedLines().flatMap((line) => JSON.parse(line).audit ?? []);
  await expect
    .poll(() => lines().map(({ number, reference }) => [number, reference]))
    .toEqual([
      [1, 'r1'],
      [2, 'r2'],
      [3, 'r3'],
    ]);
  expect(lines()[2]).toMatchObject({ workspace: 'T1', person: 'U1', action: 'pause', details });
  await terminate(worker);
  const file = join(await makeDataDir(), '..', 'bot.log');
  await writeFile(
    file,
    worker
      .printedLines()
      .map((line) => `host dropline[1]: ${line}\n`)
      .join(''),
  );
  const run = (...args: string[]) => runMain(programs)(['verify', ...args], env);
  expect(await run('--log', file)).toEqual({
    code: 0,
    printed: expect.stringMatching(/\n3 lines of the log compared\n$/),
  });
  await store.pool.query('delete from dropline.audit where chain_number = 3');
  await store.pool.query('update dropline.chains set ends_encrypted = $1', [backup[0]?.ends_encrypted]);
  expect(await run()).toMatchObject({ code: 0 });
  expect(await run('--log', file)).toEqual({
    code: 1,
    printed: expect.stringContaining("T1: ✗ entry 3 isn't in the database: the chain ends with 2\n"),
  });
});

test('verify checks a receipt and its files, with and without the database', async () => {
  const { connectionString: DATABASE_URL, connection } = await postgres.createDatabase();
  const key = randomBytes(32);
  const store = await openStore({ connection, secretKeys: [key] });
  onTestFinished(() => store.close());
  const entry = { workspace: 'T1', person: 'U1', action: 'pause', outcome: 'done', reference: 'r1' } as const;
  await store.audit.record(entry);
  await store.chains.extend();
  const [recorded] = await store.audit.list('T1');
  // Large enough for the thread that hashes.
  const text = 'the plan'.repeat(50_000);
  const plan = { name: 'plan\u202e.pdf', size: text.length, sha256: sha256(text) };
  const by = { id: 'U1', name: 'Bo' };
  const receipt = {
    format: 1,
    workspace: 'T1',
    account: 'https://files.example.com/acme',
    issuedAt: '',
    doesNotProve: 'That anyone downloaded or read the files.',
    entries: [{ number: 1, hash: '', ...recorded?.place, action: 'send', outcome: 'sent', by, at: '', files: [plan] }],
  };
  const folder = join(await makeDataDir(), '..');
  const paths = Object.fromEntries(
    ['receipt.json', 'plan.pdf', 'other.pdf', 'keys.json'].map((name) => [name, join(folder, name)]),
  );
  const signature = await store.signingKeys.sign(signedTextOf(receipt));
  await writeFile(join(folder, 'receipt.json'), receiptFile(receipt, signature));
  await writeFile(join(folder, 'plan.pdf'), text);
  await writeFile(join(folder, 'other.pdf'), 'the plot');
  const env = { DATABASE_URL, SECRET_KEY: key.toString('base64') };
  const verify = (args: string[], environment: NodeJS.ProcessEnv = env) =>
    runMain(programs)(['verify', ...args], environment);
  const { code, printed } = await verify(['--keys']);
  expect(code).toBe(0);
  await writeFile(join(folder, 'keys.json'), printed);
  const [file, good, bad, keys] = Object.values(paths);
  const valid = `✓ ${file}: signed with the key ${signature.key}\n✓ ${good}: has the content of "plan\\u{202e}.pdf"\n`;
  for (const [args, environment] of [
    [[], env],
    [['--key', keys], {}],
  ] as const) {
    const asBefore = await verify([file ?? '', good ?? '', ...args.map(String)], environment);
    expect(asBefore).toMatchObject({ code: 0, printed: expect.stringContaining(valid) });
    expect(asBefore.printed).toContain('Not proved: That anyone downloaded or read the files.');
    expect(await verify([file ?? '', bad ?? '', ...args.map(String)], environment)).toMatchObject({
      code: 1,
      printed: expect.stringContaining(`✗ ${bad}: the receipt has no file with the SHA-256 ${sha256('the plot')}`),
    });
  }
  await store.pool.query(`update dropline.audit set chain_hash = 'x'`);
  expect(await verify([file ?? ''])).toMatchObject({
    code: 1,
    printed: expect.stringContaining('T1: ✗ entry 1 has another'),
  });
  await writeFile(file ?? '', receiptFile({ ...receipt, workspace: 'T2' }, signature));
  expect(await verify([file ?? ''])).toMatchObject({
    code: 1,
    printed: expect.stringContaining('the signature is wrong'),
  });
});

test('with AUDIT_LOG=ids, the log has no names', async () => {
  const { connectionString: DATABASE_URL, connection } = await postgres.createDatabase();
  const key = randomBytes(32);
  const store = await openStore({ connection, secretKeys: [key] });
  onTestFinished(() => store.close());
  const details = { files: [{ name: 'plan.pdf', size: 1 }], recipients: ['ada@partner.example'] };
  await store.audit.record({
    workspace: 'T1',
    person: 'U1',
    action: 'send',
    outcome: 'sent',
    reference: 'r1',
    details,
  });
  const SECRET_KEY = key.toString('base64');
  const worker = await start('worker', { DATABASE_URL, SECRET_KEY, AUDIT_LOG: 'ids' });
  const line = () => worker.printedLines().find((text) => text.includes('"audit"'));
  await expect.poll(line).toContain('"action":"send"');
  expect(line()).not.toMatch(/plan|partner/);
});

test('a start with a wrong SECRET_KEY fails and says what to do', async () => {
  const { connectionString: DATABASE_URL, connection } = await postgres.createDatabase();
  const store = await openStore({ connection, secretKeys: [randomBytes(32)] });
  await store.close();
  const env = { PORT: '0', ...slackEnv, DATABASE_URL, SECRET_KEY: randomBytes(32).toString('base64') };
  for (const role of ['web', 'reencrypt']) {
    const { ended, printed } = programs.run('src/main.ts', [role], env);
    expect(await ended).toMatchObject({ code: 1 });
    expect(printed()).toContain('SECRET_KEY does not decrypt the data in this database. Set the key that');
    expect(printed()).not.toContain('    at ');
  }
});

test('a start behind a transaction pooler fails and says what to do', async () => {
  const { host, port, user } = await startTransactionPooler(await postgres.createDatabase());
  const DATABASE_URL = `postgresql://${user}@${host}:${port}/any`;
  const env = { PORT: '0', ...slackEnv, DATABASE_URL, SECRET_KEY: randomBytes(32).toString('base64') };
  const { ended, printed } = programs.run('src/main.ts', ['web'], env);
  expect(await ended).toMatchObject({ code: 1 });
  expect(printed()).toContain('Connect to Postgres directly, or set the pooler to session pooling.');
  expect(printed()).not.toContain('    at ');
});

test('a start without a database fails with one line', async () => {
  const DATABASE_URL = `postgresql://x@127.0.0.1:${await freePort(0)}/x`;
  const env = { PORT: '0', ...slackEnv, DATABASE_URL, SECRET_KEY: randomBytes(32).toString('base64') };
  const { ended, printed } = programs.run('src/main.ts', ['worker'], env);
  expect(await ended).toMatchObject({ code: 1 });
  const lines = printed()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  expect(lines).toEqual([expect.stringMatching(/ECONNREFUSED .*\. Start Postgres, or correct the host/), '']);
});

test('if the database is killed ten times under load, no acknowledged write is lost', async () => {
  const dataDir = await makeDataDir();
  const bot = await start('all', { DATA_DIR: dataDir });
  const server = await startEmbeddedPostgres({ dataDir });
  const key = Buffer.from(await readFile(join(dataDir, 'secret.key'), 'utf8'), 'base64');
  const store = await openStore({ connection: server.connection, secretKeys: [key] });
  onTestFinished(async () => {
    await store.close();
    await server.stop();
  });
  const numbers = store.collection({ kind: 'number', schema: z.number() });
  const acknowledged: number[] = [];
  let writing = true;
  const writers = [0, 1, 2, 3].map(async (writer) => {
    for (let count = 0; writing; count += 1) {
      const number = writer * 1e6 + count;
      await numbers.set(`N${number}`, number).then(
        () => acknowledged.push(number),
        () => sleep(20),
      );
    }
  });
  const seen = new Set<number>();
  for (let round = 0; round < 10; round += 1) {
    await sleep(2_100); // a server that ends sooner is restarted with growing delays
    const countBefore = acknowledged.length;
    const killed = await readPostmasterPid(dataDir);
    process.kill(killed, 'SIGKILL');
    await expect
      .poll(
        async () => {
          const { status } = await readiness(bot.url);
          seen.add(status);
          // The backends of a killed server survive for a moment and still answer.
          const isRestarted = (await readPostmasterPid(dataDir).catch(() => killed)) !== killed;
          return isRestarted && status === 200 && acknowledged.length > countBefore + 20;
        },
        { timeout: 30_000, interval: 10 },
      )
      .toBe(true);
  }
  writing = false;
  await Promise.all(writers);
  expect(seen).toContain(503);
  const { rows } = await store.pool.query(`select count(*)::int as count from dropline.keyv where key like 'number:%'`);
  expect(rows[0].count).toBeGreaterThanOrEqual(acknowledged.length);
  for (let from = 0; from < acknowledged.length; from += 100) {
    const batch = acknowledged.slice(from, from + 100);
    expect(await Promise.all(batch.map((number) => numbers.get(`N${number}`)))).toEqual(batch);
  }
  expect(bot.child.exitCode).toBeNull();
  expect(await readiness(bot.url)).toEqual({ status: 200, database: true, worker: true });
}, 180_000);

async function readPostmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

test('the main program lists invalid configuration and exits with 1', async () => {
  const { ended, printed } = programs.run('src/main.ts', ['web'], { PORT: 'x' });
  expect(await ended).toMatchObject({ code: 1 });
  expect(printed()).toContain('Dropline cannot start:\n  - PORT must be');
  expect(printed()).toContain('DATABASE_URL must be set');
  expect(printed()).not.toContain('at ');
});
