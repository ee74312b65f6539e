import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { commands, roles } from '../src/config.ts';
import { runMain, usePrograms } from './helpers/program.ts';

const programs = usePrograms();
const run = runMain(programs);

test.each([...roles, ...commands])('the command main %s --help exits with 0 and shows the usage', async (name) => {
  const { code, printed } = await run([name, '--help']);
  expect(code).toBe(0);
  expect(printed).toMatch(/^Usage: /);
});

test.each(['src/sandbox/main.ts', 'src/sandbox/slack/main.ts', 'src/sandbox/exchange/main.ts'])(
  'the program %s with --help exits with 0 and shows the usage',
  async (file) => {
    const { ended, printed } = programs.run(file, ['--help']);
    expect(await ended).toMatchObject({ code: 0 });
    expect(printed()).toMatch(/^Usage: /);
  },
);

test('npm run bench -- --help exits with 0 and shows the usage', async () => {
  const options = { cwd: resolve(import.meta.dirname, '..') };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'bench', '--', '--help'], options);
  expect(stdout).toMatch(/^Usage: /);
});

test('a missing or unknown command or option exits with 1 and shows the usage', async () => {
  for (const args of [[], ['start'], ['all', '--port'], ['manifest', '--http']]) {
    const { code, printed } = await run(args);
    expect(code).toBe(1);
    expect(printed).toContain('Usage: ');
    expect(printed).not.toContain('    at ');
  }
});
