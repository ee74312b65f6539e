import { expect, test } from 'vitest';
import { startExchangeServer } from '../../../src/sandbox/exchange/index.ts';
import { loggedIn } from './helper.ts';

test('close() ends idle connections, frees the ports and can be repeated', async () => {
  const exchange = await loggedIn({ adminPort: 0 });
  const { server } = exchange;
  await exchange.raw(`${server.adminUrl}/outbox`);
  expect(server.connections()).toBeGreaterThan(0);
  await Promise.all([server.close(), server.close()]);
  await server.close();
  expect(server.connections()).toBe(0);
  const port = Number(new URL(server.url).port);
  const adminPort = Number(new URL(server.adminUrl ?? '').port);
  await (await startExchangeServer({ port, adminPort })).close();
});

test('a port or admin port in use is reported with its number', async () => {
  const { server } = await loggedIn({ adminPort: 0 });
  const port = Number(new URL(server.url).port);
  await expect(startExchangeServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  const adminPort = Number(new URL(server.adminUrl ?? '').port);
  await expect(startExchangeServer({ adminPort })).rejects.toMatchObject({ code: 'EADDRINUSE', port: adminPort });
});

test('close() does not wait for requests that a fault delays', async () => {
  const { server, ...exchange } = await loggedIn();
  const fault = server.addFault({ operation: 'get_files', kind: 'delay' });
  const url = `${server.url}/api@example.com/cgi/get_files.cgi`;
  const failed = expect(fetch(url)).rejects.toThrow();
  await fault.triggered;
  await server.close();
  await failed;
  expect(exchange.account.filesInitialised).toBe(false);
});
