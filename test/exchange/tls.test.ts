import { generate } from 'selfsigned';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceAgent } from '../../src/exchange/index.ts';
import { failureOf, setUp } from '../helpers/exchange.ts';

const day = 24 * 3600_000;

/** A service with a certificate for this name and period. The client trusts the certificate if `trusted`. */
async function setUpTls({ name = '127.0.0.1', from = -day, to = day, trusted = true, host = '127.0.0.1' }) {
  const certificate = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    notBeforeDate: new Date(Date.now() + from),
    notAfterDate: new Date(Date.now() + to),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [/^\d/.test(name) ? { type: 7, ip: name } : { type: 2, value: name }] },
    ],
  });
  const setup = await setUp({ server: { tls: { key: certificate.private, cert: certificate.cert } } });
  const dispatcher = createServiceAgent({ hosts: ['*'], ca: trusted ? certificate.cert : undefined });
  onTestFinished(() => dispatcher.destroy());
  const baseUrl = setup.server.url.replace('127.0.0.1', host);
  return { ...setup, exchange: setup.client({ dispatcher, baseUrl }) };
}

test('a service with a valid certificate is reached over https', async () => {
  const { exchange, callCount } = await setUpTls({});
  await exchange.readContacts();
  expect(callCount('contacts_read')).toBe(1);
});

test.each([
  ['is self-signed', { trusted: false }, 'its certificate is self-signed'],
  ['has expired', { from: -2 * day, to: -day }, 'its certificate has expired'],
  ["isn't valid yet", { from: day, to: 2 * day }, "its certificate isn't valid yet"],
  ['is for another host', { name: 'other.example' }, 'its certificate is for another host name'],
])('if the certificate %s, the error is clear and no request is sent', async (_, options, reason) => {
  const { exchange, server } = await setUpTls(options);
  const failure = await failureOf(exchange.readContacts());
  expect(failure).toMatchObject({ code: 'unreachable' });
  expect(failure.message).toContain(reason);
  expect(server.calls).toEqual([]);
});

test('https to an http server gives a clear error', async () => {
  const { server, client } = await setUp();
  const exchange = client({ baseUrl: server.url.replace('http:', 'https:') });
  const failure = await failureOf(exchange.signIn());
  expect(failure).toMatchObject({ code: 'cut-short', message: expect.stringContaining("doesn't use https") });
});
