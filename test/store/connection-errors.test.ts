import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { openStore } from '../../src/store/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { executeAsAdmin } from '../helpers/postgres-address.ts';
import { serve } from '../helpers/serve.ts';

const postgres = startTestPostgres();

const secretKeys = [randomBytes(32)];
const open = (connectionString: string) =>
  openStore({ connection: { connectionString }, secretKeys, maxConnections: 2 });

/** Starts a server that handles a client after its first message. Resolves with `host:port`. */
async function answerWith(handle: (client: Socket) => void): Promise<string> {
  const url = await serve(createServer((client) => client.on('error', () => {}).once('data', () => handle(client))));
  return new URL(url).host;
}

const refusal = (code: string, message: string) => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const header = Buffer.from([0x45, 0, 0, 0, 4 + fields.length]);
  return answerWith((client) => client.end(Buffer.concat([header, fields])));
};

const scramChallenges = [
  Buffer.from('R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0'),
  Buffer.from('R\0\0\0\x0c\0\0\0\x0br=ab'),
];

/** Asks for a SCRAM password, like Postgres. */
const askForPassword = () =>
  answerWith((client) => {
    client.write(scramChallenges[0] ?? '');
    client.once('data', () => client.write(scramChallenges[1] ?? ''));
  });

/**
 * Starts a TLS proxy in front of the database, with a certificate for 127.0.0.1. Returns its host and the certificate.
 */
async function startTls(databaseUrl: string) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'db' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const { searchParams, hostname, port } = new URL(databaseUrl);
  const [host, realPort] = [searchParams.get('host') ?? hostname, searchParams.get('port') ?? port];
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${realPort}` } : { host, port: Number(realPort) };
  const address = await answerWith((client) => {
    client.write('S');
    const secure = new TLSSocket(client, { isServer: true, key, cert }).on('error', () => client.destroy());
    const server = connect(target).on('error', () => client.destroy());
    secure.on('close', () => server.destroy());
    secure.pipe(server).pipe(secure);
  });
  const folder = await mkdtemp(join(tmpdir(), 'dropline-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'ca.pem');
  await writeFile(file, cert);
  return { address, file };
}

test('a failed connection to the database is explained in one line, with a fix', async () => {
  const { address, file } = await startTls((await postgres.createDatabase({ isEmpty: true })).connectionString);
  const plain = await answerWith((client) => client.write('N'));
  const closing = await answerWith((client) => client.end());
  const ending = await answerWith((client) => client.resetAndDestroy());
  const wrongPassword = await refusal('28P01', 'password authentication failed for user "x"');
  for (const [host, options, expected] of [
    [`127.0.0.1:${await freePort(0)}`, '', /ECONNREFUSED .* Start Postgres, or correct the host and port/],
    ['nowhere.invalid', '', /nowhere\.invalid\. Correct the host/],
    ['', '?host=/nowhere', /ENOENT \/nowhere\/.* Start Postgres/],
    [wrongPassword, '', /"x"\. Correct the user and password in DATABASE_URL\. Signs such as @ or # in a password/],
    [await askForPassword(), '', /password must be a string\. Correct the user and password/],
    [await refusal('3D000', 'database "y" does not exist'), '', /"y" does not exist\. Create the database/],
    [await refusal('28000', 'no pg_hba.conf entry for host "::1", no encryption'), '', /\. Add sslmode=verify-full/],
    [await refusal('28000', 'role "x" does not exist'), '', /\. Allow this user to connect in pg_hba\.conf/],
    [await refusal('08P01', 'no such database: y'), '', /: y\. Correct the user, password and database .* pooler/],
    [await refusal('57P03', 'the database system is starting up'), '', /starting up\. Wait until Postgres has started/],
    [
      await refusal('57P01', 'terminating connection due to administrator command'),
      '',
      /command\. Check that Postgres/,
    ],
    [closing, '', /terminated unexpectedly\. Check that Postgres is running, then try again/],
    [ending, '', /ECONNRESET\. Check that Postgres is running, then try again/],
    [await refusal('53300', 'sorry, too many clients already'), '', /already\. Raise max_connections/],
    [plain, '?sslmode=require', /does not support SSL connections\. Turn on TLS in Postgres/],
    [address, '?sslmode=require', /self-signed certificate\. Name the certificate .* sslrootcert=/],
    [address.replace('127.0.0.1', 'localhost'), `?sslmode=require&sslrootcert=${file}`, /\. Use the host name of the/],
    [address, '?sslmode=require&sslrootcert=/nowhere.pem', /ENOENT.*\/nowhere\.pem'\. Correct the files that sslroot/],
  ] as const) {
    const failure = await open(`postgresql://x@${host}/y${options}`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'DatabaseProblem', message: expect.stringMatching(expected) });
    expect(String(failure)).toMatch(/^DatabaseProblem: The database can't be used: [^\n]+\.$/);
  }
});

test('a start without the right to create schemas fails with a fix', async () => {
  const { connectionString } = await postgres.createDatabase({ isEmpty: true });
  const role = `poor_${randomBytes(4).toString('hex')}`;
  await executeAsAdmin(inject('postgres'), `create role ${role} login`);
  onTestFinished(() => executeAsAdmin(inject('postgres'), `drop role ${role}`));
  await expect(open(connectionString.replace(/\/\/[^@]*@/, `//${role}@`))).rejects.toThrow(
    /^The database can't be used: permission denied for database \w+\. Give this user more rights: npm run check/,
  );
});

test('sslmode=require checks the certificate, no-verify does not, and neither warns', async () => {
  const { connectionString } = await postgres.createDatabase();
  const { address, file } = await startTls(connectionString);
  const { username, pathname } = new URL(connectionString);
  const warnings: Error[] = [];
  const collect = (warning: Error) => void warnings.push(warning);
  process.on('warning', collect);
  onTestFinished(() => void process.off('warning', collect));
  for (const options of [`sslmode=require&sslrootcert=${file}`, 'sslmode=no-verify']) {
    const store = await open(`postgresql://${username}@${address}${pathname}?${options}`);
    await store.close();
  }
  await setImmediate();
  expect(warnings).toEqual([]);
});
