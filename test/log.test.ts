import { expect, test } from 'vitest';
import { createLog } from '../src/log.ts';

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
