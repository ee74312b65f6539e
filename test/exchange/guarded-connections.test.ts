import type { LookupFunction } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceAgent, type ServiceAgentOptions } from '../../src/exchange/index.ts';
import { failureOf, setUp } from '../helpers/exchange.ts';

async function setUpGuarded(options: ServiceAgentOptions) {
  const setup = await setUp();
  const dispatcher = createServiceAgent(options);
  onTestFinished(() => dispatcher.destroy());
  return { ...setup, dispatcher };
}

/** Resolves each lookup to the next of these addresses, and all later ones to the last address. */
function lookupOf(...addresses: string[]): LookupFunction {
  return (_, options, callback) => {
    const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? '';
    if (options.all) callback(null, [{ address, family: 4 }]);
    else callback(null, address, 4);
  };
}

test.each([
  'http://127.0.0.1',
  'https://127.0.0.1',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://2130706433',
])('without EXCHANGE_HOSTS, the client makes no connection to %s', async (origin) => {
  const { server, client, dispatcher } = await setUpGuarded({});
  const { port } = new URL(server.url);
  const failure = await failureOf(client({ dispatcher, baseUrl: `${origin}:${port}` }).signIn());
  expect(failure).toMatchObject({ code: 'address-not-allowed' });
  expect(server.connections()).toBe(0);
});

test('a host name that resolves to this machine is rejected at lookup', async () => {
  const { server, client, dispatcher } = await setUpGuarded({ lookup: lookupOf('127.0.0.1') });
  const { port } = new URL(server.url);
  const failure = await failureOf(client({ dispatcher, baseUrl: `https://rebound.example:${port}` }).signIn());
  expect(failure).toMatchObject({ code: 'address-not-allowed' });
  expect(server.connections()).toBe(0);
});

test('a host name that later resolves to this machine is rejected', async () => {
  // 192.0.2.0/24 is for documentation. It isn't public either, so the first lookup leads to no connection.
  const { server, client, dispatcher } = await setUpGuarded({ lookup: lookupOf('192.0.2.1', '127.0.0.1') });
  const exchange = client({ dispatcher, baseUrl: `https://rebound.example:${new URL(server.url).port}` });
  expect(await failureOf(exchange.signIn())).toMatchObject({ code: 'address-not-allowed' });
  expect(await failureOf(exchange.signIn())).toMatchObject({ code: 'address-not-allowed' });
  expect(server.connections()).toBe(0);
});

test('only a listed host name can resolve to this machine', async () => {
  const { server, client, dispatcher } = await setUpGuarded({ hosts: ['files.test'], lookup: lookupOf('127.0.0.1') });
  const { port } = new URL(server.url);
  await client({ dispatcher, baseUrl: `http://files.test:${port}` }).readContacts();
  const failure = await failureOf(client({ dispatcher, baseUrl: `http://other.test:${port}` }).signIn());
  expect(failure).toMatchObject({ code: 'address-not-allowed', message: expect.stringContaining('other.test') });
});

test('a host whose lookup times out is unreachable', async () => {
  const { client, dispatcher } = await setUpGuarded({ hosts: ['slow.test'], connectTimeoutMs: 50, lookup: () => {} });
  expect(await failureOf(client({ dispatcher, baseUrl: 'http://slow.test' }).signIn())).toMatchObject({
    code: 'unreachable',
  });
});

test('a host with several unreachable addresses gives one error', async () => {
  const lookup: LookupFunction = (_, __, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]);
  const { client, dispatcher } = await setUpGuarded({ hosts: ['two.test'], lookup });
  const failure = await failureOf(client({ dispatcher, baseUrl: 'http://two.test:1' }).signIn());
  expect(failure).toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining("isn't running at this address"),
  });
});

test('closing the agent ends every connection', async () => {
  const { server, client, dispatcher } = await setUpGuarded({ hosts: ['127.0.0.1'] });
  const exchange = client({ dispatcher });
  await Promise.all([exchange.readContacts(), exchange.listFiles(), exchange.readHistory()]);
  expect(server.connections()).toBeGreaterThan(0);
  await dispatcher.close();
  await expect.poll(() => server.connections()).toBe(0);
});
