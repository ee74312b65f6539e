import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { serve } from '../helpers/serve.ts';

test('freePort returns a port below the range that systems assign', async () => {
  const port = await freePort(0);
  // Linux assigns ports from 32768 up; other systems start higher.
  expect(port).toBeLessThan(32_768);
  expect(port).toBeGreaterThan(1_024);
});

test('freePort refuses a requested port that is in use', async () => {
  const { port } = new URL(await serve(createServer()));
  await expect(freePort(Number(port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
