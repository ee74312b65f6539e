import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { serve } from '../helpers/serve.ts';

test('any free port is one that no system gives to somebody else who asks for any', async () => {
  const port = await freePort(0);
  // Linux begins at 32768, others higher.
  expect(port).toBeLessThan(32_768);
  expect(port).toBeGreaterThan(1_024);
});

test('a port that is wanted is refused when somebody has it', async () => {
  const { port } = new URL(await serve(createServer()));
  await expect(freePort(Number(port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
