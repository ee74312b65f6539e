import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { serve } from '../helpers/serve.ts';

test('a free port is below the range from which systems assign ports', async () => {
  const port = await freePort(0);
  // Linux assigns ports from 32768 up; other systems start higher.
  expect(port).toBeLessThan(32_768);
  expect(port).toBeGreaterThan(1_024);
});

test('a requested port that is in use is refused', async () => {
  const { port } = new URL(await serve(createServer()));
  await expect(freePort(Number(port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
