import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ConfigError, readConfig as read } from '../src/config.ts';

const key = randomBytes(32).toString('base64');
const slack = { SLACK_SIGNING_SECRET: 's', SLACK_CLIENT_ID: 'i', SLACK_CLIENT_SECRET: 'c' };
const readConfig = (role: Parameters<typeof read>[0], env: NodeJS.ProcessEnv) => read(role, { ...slack, ...env });
const DATABASE_URL = 'postgresql://user:pass@db.example:5432/dropline';

test('the role "all" uses an embedded database by default', () => {
  expect(readConfig('all', {})).toMatchObject({ role: 'all', port: 3000, logLevel: 'info', metrics: undefined });
  expect(readConfig('all', {}).database).toHaveProperty('dataDir');
  expect(readConfig('all', { DATA_DIR: '/data', PORT: '' }).database).toEqual({
    dataDir: '/data',
    secretKeys: undefined,
  });
});

test('SECRET_KEY is a list of 32-byte keys', () => {
  const { database } = readConfig('web', { DATABASE_URL, SECRET_KEY: `${key}, ${key}` });
  expect(database.secretKeys).toHaveLength(2);
});

// Buffer.from decodes each of these, or a part of it, without an error.
test.each(['please! change this secret key before production ok', `${key}x`, key.slice(0, 20)])(
  "SECRET_KEY can't be %j",
  (SECRET_KEY) => {
    expect(() => readConfig('web', { DATABASE_URL, SECRET_KEY })).toThrow('SECRET_KEY must be base64');
  },
);

test('METRICS_PORT must differ from PORT', () => {
  expect(() => readConfig('all', { METRICS_PORT: '3000' })).toThrow('must differ from PORT');
});

test('the metrics port listens on loopback unless METRICS_HOST is set', () => {
  const metricsOf = (env: object) => readConfig('all', { METRICS_PORT: '9000', ...env }).metrics;
  for (const HOST of [undefined, '0.0.0.0', '10.0.0.1'])
    expect(metricsOf({ HOST })).toEqual({ port: 9000, host: '127.0.0.1' });
  expect(metricsOf({ METRICS_HOST: '0.0.0.0' })).toEqual({ port: 9000, host: '0.0.0.0' });
});

test('Socket Mode without PUBLIC_URL and PORT listens on loopback unless HOST is set', () => {
  const socketMode = { SLACK_APP_TOKEN: 'xapp-1', SLACK_BOT_TOKEN: 'xoxb-1' };
  expect(readConfig('all', socketMode).host).toBe('127.0.0.1');
  expect(readConfig('all', { ...socketMode, HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  for (const extra of [{ PUBLIC_URL: 'https://d.example' }, { PORT: '8080' }])
    expect(readConfig('all', { ...socketMode, ...extra }).host).toBe('0.0.0.0');
  expect(readConfig('all', {}).host).toBe('0.0.0.0');
});

test('readConfig lists all problems together, with a fix and without secrets', () => {
  const env = {
    PORT: '99999',
    LOG_LEVEL: 'loud',
    SECRET_KEY: 'c2hvcnQ=',
    DATABASE_URL: 'mysql://x',
    METRICS_PORT: 'x',
  };
  let problems: readonly string[] = [];
  try {
    readConfig('worker', env);
  } catch (error) {
    problems = (error as ConfigError).problems;
  }
  expect(problems).toHaveLength(5);
  for (const name of Object.keys(env)) expect(problems.join('\n')).toContain(name);
  // A new key would make the data of an existing database unreadable.
  expect(problems.join('\n')).not.toContain('openssl');
  expect(problems.join('\n')).not.toContain('c2hvcnQ=');
});

test.each(['web', 'worker'] as const)('the role %s requires DATABASE_URL', (role) => {
  expect(() => readConfig(role, { SECRET_KEY: key })).toThrow('DATABASE_URL must be set');
});

test('DATABASE_URL requires SECRET_KEY', () => {
  expect(() => readConfig('all', { DATABASE_URL })).toThrow(ConfigError);
  expect(() => readConfig('all', { DATABASE_URL })).toThrow(
    'SECRET_KEY must be set with DATABASE_URL: the key that its data is encrypted with. For a new database, npm run setup makes one',
  );
});

test('readConfig reports missing, conflicting and malformed variables', () => {
  const problemsOf = (env: NodeJS.ProcessEnv) => {
    try {
      read('all', env);
      return '';
    } catch (error) {
      return (error as ConfigError).message;
    }
  };
  expect(problemsOf({})).toContain('SLACK_SIGNING_SECRET must be set');
  expect(problemsOf({})).toContain('SLACK_CLIENT_ID and SLACK_CLIENT_SECRET must be set');
  expect(problemsOf({ SLACK_SIGNING_SECRET: 's', SLACK_BOT_TOKEN: 'xoxb-1' })).toBe('');
  expect(problemsOf({ SLACK_APP_TOKEN: 'xapp-1', SLACK_BOT_TOKEN: 'xoxb-1' })).toBe('');
  expect(problemsOf({ ...slack, SLACK_APP_TOKEN: 'xapp-1' })).toContain('SLACK_BOT_TOKEN must be set with');
  expect(problemsOf({ ...slack, SLACK_BOT_TOKEN: 'xoxb-1' })).toContain(
    'SLACK_BOT_TOKEN must not be set with SLACK_CLIENT_ID and SLACK_CLIENT_SECRET',
  );
  expect(problemsOf({ ...slack, SLACK_APP_TOKEN: 'xapp-1', SLACK_BOT_TOKEN: 'xoxb-1' })).toBe('');
  expect(problemsOf({ ...slack, SLACK_BOT_TOKEN: 'secret' })).toContain('must begin with xoxb-');
  expect(problemsOf({ ...slack, SLACK_BOT_TOKEN: 'secret' })).not.toContain('secret');
  expect(problemsOf({ ...slack, POLL_SECONDS: '1' })).toContain('5 at least');
  expect(problemsOf({ ...slack, SUPPORT_CONTACT: 'http://help' })).toContain(
    'SUPPORT_CONTACT must be an e-mail address',
  );
  expect(problemsOf({ ...slack, PUBLIC_URL: 'dropline' })).toContain('PUBLIC_URL must be an address');
  expect(problemsOf({ ...slack, PUBLIC_URL: 'http://drop.example.com' })).toContain(
    'PUBLIC_URL must begin with https://',
  );
});

test('readConfig removes the trailing slash of PUBLIC_URL and spaces in lists', () => {
  const env = {
    PUBLIC_URL: 'https://d.example/',
    SLACK_API_URL: 'http://127.0.0.1:1/api/',
    EXCHANGE_HOSTS: 'a.example, *.b.example',
  };
  expect(readConfig('all', env)).toMatchObject({
    publicUrl: 'https://d.example',
    slack: { apiUrl: 'http://127.0.0.1:1/api/' },
    exchange: { hosts: ['a.example', '*.b.example'], pollMs: 60_000 },
  });
});

test.each([
  ['clamd.internal:3310', { host: 'clamd.internal', port: 3310 }],
  ['clamd', { host: 'clamd', port: 3310 }],
  ['[::1]:4000', { host: '::1', port: 4000 }],
  ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
])('CLAMD_HOST can be %s', (CLAMD_HOST, address) => {
  expect(readConfig('all', { CLAMD_HOST }).scan).toEqual({ address, maxBytes: 26_214_400, isRequired: false });
});

test('AUDIT_LOG is true, ids or false', () => {
  expect(readConfig('all', {}).auditLog).toBe('false');
  expect(readConfig('all', { AUDIT_LOG: 'ids' }).auditLog).toBe('ids');
  expect(() => readConfig('all', { AUDIT_LOG: 'yes' })).toThrow('AUDIT_LOG must be true, ids or false');
});

test('without CLAMD_HOST, no file is scanned and SCAN_REQUIRED is refused', () => {
  expect(readConfig('all', { CLAMD_MAX_BYTES: '10' }).scan).toBeUndefined();
  expect(() => readConfig('all', { SCAN_REQUIRED: 'true' })).toThrow('CLAMD_HOST must be set with SCAN_REQUIRED');
  const env = { CLAMD_HOST: 'clamd', SCAN_REQUIRED: 'true', CLAMD_MAX_BYTES: '1000' };
  expect(readConfig('all', env).scan).toMatchObject({ isRequired: true, maxBytes: 1_000 });
});

test.each(['clamd:99999', 'clamd:x', 'tcp://clamd:3310', 'a b', ':3310'])("CLAMD_HOST can't be %s", (CLAMD_HOST) => {
  expect(() => readConfig('all', { CLAMD_HOST })).toThrow('CLAMD_HOST must be host:port');
});
