import { expect, test } from 'vitest';
import { usePrograms } from '../../helpers/program.ts';

const programs = usePrograms();
const anyPorts = ['--port', '0', '--admin-port', '0'];

test('the reference service prints its address and stops on Ctrl-C', async () => {
  const sandbox = programs.run('src/sandbox/exchange/main.ts', anyPorts);
  await expect.poll(() => sandbox.printed()).toContain('Press Ctrl-C to stop');
  const admin = /Admin +(\S+)/.exec(sandbox.printed())?.[1] ?? '';
  expect(await (await fetch(admin)).text()).toContain('sandbox@dropline.example');
  sandbox.child.kill('SIGINT');
  expect(await sandbox.ended).toEqual({ code: 0, signal: null });
});

test('the reference service reports a port in use in one line', async () => {
  const first = programs.run('src/sandbox/exchange/main.ts', anyPorts);
  await expect.poll(() => first.printed()).toContain('Address');
  const port = /Address +http:\/\/127\.0\.0\.1:(\d+)/.exec(first.printed())?.[1] ?? '';
  const second = programs.run('src/sandbox/exchange/main.ts', ['--port', port, '--admin-port', '0']);
  expect(await second.ended).toMatchObject({ code: 1 });
  expect(second.printed()).toBe(`Port ${port} is taken. Choose others with --port and --admin-port.\n`);
});

test('the reference service reports an invalid port in one line', async () => {
  const { ended, printed } = programs.run('src/sandbox/exchange/main.ts', ['--port', 'x']);
  expect(await ended).toMatchObject({ code: 1 });
  expect(printed()).toBe('x is not a port.\n');
});

test('--help lists the options of the reference service and starts no server', async () => {
  const { ended, printed } = programs.run('src/sandbox/exchange/main.ts', ['--help']);
  expect(await ended).toMatchObject({ code: 0 });
  expect([...printed().matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name)).toEqual([
    '--port',
    '--admin-port',
    '--help',
  ]);
  expect(printed()).not.toContain('http://');
});
