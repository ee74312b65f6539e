import { expect, test } from 'vitest';
import { runMain, usePrograms } from './helpers/program.ts';

const run = runMain(usePrograms());

test('the command main --help exits with 0 and shows the usage', async () => {
  const { code, printed } = await run(['--help']);
  expect(code).toBe(0);
  expect(printed).toMatch(/^Usage: /);
});
