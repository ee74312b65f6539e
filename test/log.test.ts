import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { captureConsole, createLog } from '../src/lib/log.ts';
import { checkLogLines } from './helpers/log-lines.ts';

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('debug', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

const secrets = ['xoxb-1234-abcd', 'xapp-1-A1-secret', 'k3y', 'dXNlcjprZXk=', 'p4ssw0rd'];

test('secrets never reach the log, whether as fields, errors or text', () => {
  const text = linesOf((log) => {
    log.info({ apiKey: 'k3y', nested: { deep: [{ csrfToken: 'k3y', password: 'p4ssw0rd' }] } }, 'fields');
    log.info({ headers: { Authorization: 'Basic dXNlcjprZXk=', cookie: 'k3y' } }, 'headers');
    log.warn(
      { err: new Error('refused: Authorization: Basic dXNlcjprZXk=', { cause: new Error('xoxb-1234-abcd') }) },
      'error',
    );
    log.error({ url: 'postgresql://user:p4ssw0rd@db.example/x' }, 'with xapp-1-A1-secret in the message');
    log.info('Bearer xoxb-1234-abcd');
    log.info({ url: 'postgres://user:p4ss@p4ssw0rd@host/db' }, 'apikey=k3y&x=1 and {"csrftoken":"k3y"}');
    log.info({ keys: ['k3y'], auth: 'k3y', passphrase: 'k3y' }, 'password: k3y');
    log.child({ SECRET_KEY: 'k3y' }).info('child');
    log.error(new Error('postgres://user:p4ssw0rd@host'));
  });
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text.trim().split('\n')).toHaveLength(9);
  expect(text).toContain('db.example');
});

test('the log keeps fields without secrets unchanged', () => {
  const text = linesOf((log) =>
    log.info({ workspace: 'T1', operation: 'upload', ms: 12, job: { id: '7' }, jobKey: 'j' }, 'a line'),
  );
  expect(JSON.parse(text)).toMatchObject({
    level: 'info',
    workspace: 'T1',
    operation: 'upload',
    ms: 12,
    job: { id: '7' },
  });
});

test('what libraries print to the console and warnings of Node are logged as JSON', async () => {
  const original = { ...console };
  const listeners = process.listeners('warning');
  const lines: string[] = [];
  captureConsole(createLog('info', { write: (line) => void lines.push(line) }));
  try {
    // biome-ignore lint/suspicious/noConsole: libraries do this
    console.error('attempt %d failed\n', 1, { code: 'x' });
    process.emitWarning('this API is deprecated');
    await setImmediate();
  } finally {
    Object.assign(console, original);
    process.removeAllListeners('warning');
    for (const listener of listeners) process.on('warning', listener);
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', msg: "attempt 1 failed\n { code: 'x' }" },
    { level: 'warn', msg: 'warning of Node', err: { message: 'this API is deprecated' } },
  ]);
});

test('the check of log lines refuses text, missing and unknown fields, and other types', () => {
  const line = { level: 'warn', time: 1, msg: 'job failed', attempt: 2 };
  checkLogLines([JSON.stringify(line)]);
  for (const [text, problem] of [
    ['PostgreSQL idle client generated error', 'is not JSON'],
    [JSON.stringify({ ...line, level: undefined }), 'lacks its level'],
    [JSON.stringify({ ...line, attempt: 'second' }), 'log field attempt'],
    [JSON.stringify({ ...line, atempt: 2 }), 'log field atempt'],
    [JSON.stringify({ ...line, err: 'refused' }), 'err is not an error'],
  ] as const)
    expect(() => checkLogLines([text])).toThrow(problem);
});
