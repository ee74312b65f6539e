import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { createHostPolicy } from '../../src/exchange/host-policy.ts';
import { isPublicAddress } from '../../src/exchange/public-address.ts';

const target = (address: string) => {
  const { protocol, hostname, port } = new URL(address);
  return { protocol, hostname, port };
};

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '223.255.255.255',
  '2606:4700::1',
  '2a00::1',
])('the address %s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '198.51.100.1',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'localhost',
  '',
])('the address %j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  'https://127.0.0.1',
  'https://[::1]',
  'https://[::ffff:10.0.0.1]',
  // URL parsing resolves all of these to 127.0.0.1.
  'https://2130706433',
  'https://0x7f.1',
  'https://127.1',
  'https://0177.0.0.1',
])('without EXCHANGE_HOSTS, the address %s is rejected', (address) => {
  expect(() => createHostPolicy().check(target(address))).toThrow("isn't a public address");
});

test('without EXCHANGE_HOSTS, http is rejected and public https is allowed', () => {
  const policy = createHostPolicy();
  expect(() => policy.check(target('http://files.example.com'))).toThrow('https://');
  expect(() => policy.check(target('https://files.example.com'))).not.toThrow();
  expect(() => policy.check(target('https://8.8.8.8'))).not.toThrow();
});

test.each([
  ['files.example.com', 'https://files.example.com', true],
  ['files.example.com', 'http://FILES.example.com:8080', true],
  ['files.example.com', 'https://files.example.com.evil.net', false],
  ['*.example.com', 'https://a.b.example.com', true],
  ['*.example.com', 'https://example.com', false],
  ['*.example.com', 'https://evilexample.com', false],
  ['files.example.com:8443', 'https://files.example.com:8443', true],
  ['files.example.com:443', 'https://files.example.com', true],
  ['files.example.com:8443', 'https://files.example.com', false],
  ['127.0.0.1', 'http://127.0.0.1:3000', true],
  ['[::1]:3000', 'http://[::1]:3000', true],
  ['[::1]', 'http://[::1]:3000', true],
  ['*', 'http://10.0.0.1', true],
  ['Files.Example.COM', 'https://files.example.com', true],
  ['*.0.0.1', 'https://127.0.0.1', false],
])('the host pattern %s allows %s: %s', (pattern, address, passes) => {
  const check = () => createHostPolicy([pattern]).check(target(address));
  if (passes) expect(check).not.toThrow();
  else expect(check).toThrow("isn't an allowed host");
});

const resolving = (addresses: string[]): LookupFunction => {
  return (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
};

function lookUp(addresses: string[], all: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    createHostPolicy([], resolving(addresses)).lookup('name.example', { all }, (error, address) =>
      error ? reject(error) : resolve(address),
    );
  });
}

test('a host name is rejected if it has no address or a private one', async () => {
  await expect(lookUp(['8.8.8.8', '10.0.0.1'], true)).rejects.toThrow("doesn't lead to a public address");
  await expect(lookUp(['127.0.0.1'], false)).rejects.toThrow("doesn't lead to a public address");
  await expect(lookUp(['::ffff:127.0.0.1'], true)).rejects.toThrow("doesn't lead to a public address");
  await expect(lookUp([], true)).rejects.toThrow("doesn't lead to a public address");
});

test('a host name with public addresses resolves to one address or to all', async () => {
  await expect(lookUp(['8.8.8.8', '2606:4700::1'], false)).resolves.toBe('8.8.8.8');
  await expect(lookUp(['8.8.8.8'], true)).resolves.toEqual([{ address: '8.8.8.8', family: 4 }]);
});
