import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { keepHold } from '../../src/features/transfers/holds/repository.ts';
import {
  confirmRequest,
  openRequests,
  prepareRequest,
  requestMatchOf,
} from '../../src/features/transfers/kinds/request/operations.ts';
import { withdraw } from '../../src/features/transfers/operations.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { requestFiles } from '../helpers/requests.ts';

const postgres = startTestPostgres();
const draft = { receivers: ['carl@example.org'], groups: [], message: 'Please send the plans', timeToLive: 3 };

test('requests are off until an admin switches them on', async () => {
  const { services } = await setUpFeatures(postgres);
  expect(await failureOf(requestFiles(services, anna, draft))).toMatchObject({ code: 'switched-off' });
  expect(await failureOf(changeSettings(services, anna, { requests: true }))).toMatchObject({ code: 'not-allowed' });
  await changeSettings(services, admin, { requests: true });
  expect(await requestFiles(services, anna, draft)).toMatch(/^[0-9a-f-]{36}$/);
});

test('no request is sent from an account on hold', async () => {
  const { services, store, server, account } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await keepHold(store.pool, `${server.url}/${account.user}`, randomUUID(), 'unknown');
  expect(await failureOf(requestFiles(services, anna, draft))).toMatchObject({ code: 'held' });
});

test('only the chosen contacts get access, and recipients are cleared afterwards', async () => {
  const { services, account, work, ended, server } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await work();
  const id = await requestFiles(services, anna, { ...draft, groups: ['board'] });
  expect(await ended(id)).toMatchObject({ state: 'sent', kind: 'grant', person: anna.person });
  expect(account.uploadPages.map(({ contact, message }) => [contact.email, message])).toEqual([
    ['carl@example.org', draft.message],
    ['dora@example.net', draft.message],
  ]);
  expect(account.receivers).toEqual([]);
  expect(server.calls.filter(({ operation }) => operation === 'givedrop')).toHaveLength(1);
});

test('a request confirmed twice sends one request', async () => {
  const { services, account, work, ended } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const { id } = await prepareRequest(services, anna, draft);
  expect(await failureOf(confirmRequest(services, bo, id))).toMatchObject({ code: 'not-found' });
  expect(await confirmRequest(services, anna, id)).toBe(id);
  expect(await failureOf(confirmRequest(services, anna, id))).toMatchObject({ code: 'used' });
  await work();
  await ended(id);
  expect(account.uploadPages).toHaveLength(1);
});

test('a request whose review was closed cannot be confirmed', async () => {
  const { services, account } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const { id } = await prepareRequest(services, anna, draft);
  expect(await withdraw(services, anna, id)).toBe(true);
  expect(await failureOf(confirmRequest(services, anna, id))).toMatchObject({ code: 'not-found' });
  expect(account.uploadPages).toEqual([]);
});

test('a review of an older version can be confirmed if its contacts are unchanged', async () => {
  const { services, store, account } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const [carl] = account.contacts.local;
  const old = store.collection({ kind: 'request-shown', schema: z.unknown() });
  const shown = { person: anna.person, message: 'Please', timeToLive: 3, earlier: [] };
  const [same, changed] = [randomUUID(), randomUUID()];
  const receivers = [{ email: 'carl@example.org', ...(carl?.number === undefined ? {} : { number: carl.number }) }];
  await old.set('T1', { ...shown, receivers }, { name: same });
  await old.set('T1', { ...shown, receivers: [{ email: 'carl@example.org', number: '1' }] }, { name: changed });
  expect(await confirmRequest(services, anna, same)).toBe(same);
  expect(await failureOf(confirmRequest(services, anna, same))).toMatchObject({ code: 'used' });
  expect(await failureOf(confirmRequest(services, anna, changed))).toMatchObject({ code: 'changed' });
});

test('a request without an answer counts as sent only if the history lists it', async () => {
  const { services, server, account, work, ended, store } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await work();
  server.addFault({ operation: 'givedrop', kind: 'reset-after' });
  expect(await ended(await requestFiles(services, anna, draft))).toMatchObject({ state: 'sent' });
  server.addFault({ operation: 'givedrop', kind: 'reset-before' });
  expect(await ended(await requestFiles(services, anna, { ...draft, message: 'Again' }))).toMatchObject({
    state: 'unknown',
  });
  expect(account.uploadPages).toHaveLength(1);
  expect((await store.pool.query('select from dropline.holds')).rows).toEqual([]);
});

test('a request that got no token is reported as failed', async () => {
  const { services, server, account, store, work, ended } = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      async grantAccess(parameters) {
        // The token has expired since the last call, and the page with a new one fails.
        await store.pool.query("delete from dropline.keyv where key like 'csrf:%'");
        server.addFault({ operation: 'index', kind: 'reset-before', times: 5 });
        await exchange.grantAccess(parameters);
      },
    }),
  });
  await changeSettings(services, admin, { requests: true });
  await work();
  expect(await ended(await requestFiles(services, anna, draft))).toMatchObject({ state: 'failed' });
  expect(account.uploadPages).toEqual([]);
});

test('a request fails if requests are off or its contact changed before its job runs', async () => {
  const { services, account, work, ended } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const first = await requestFiles(services, anna, draft);
  const second = await requestFiles(services, bo, { ...draft, receivers: ['dora@example.net'] });
  account.contacts.local.splice(1, 1);
  await changeSettings(services, admin, { requests: false });
  await work();
  expect((await ended(first)).details?.result?.code).toBe('switched-off');
  expect((await ended(second)).details?.result).toMatchObject({ code: 'changed', names: ['dora@example.net'] });
  expect(account.uploadPages).toEqual([]);
});

test('depending on its sender, an item answers one request, several or none', async () => {
  const { services, work, ended, server } = await setUpFeatures(postgres);
  const { account } = services.connectTo({ baseUrl: server.url, username: user, apiKey });
  await changeSettings(services, admin, { requests: true });
  await work();
  await ended(await requestFiles(services, anna, { ...draft, receivers: ['carl@example.org', 'dora@example.net'] }));
  await ended(await requestFiles(services, bo, { ...draft, receivers: ['dora@example.net'] }));
  const open = await openRequests(services, 'T1', account);
  const belongingFor = (sender: string | undefined) => {
    const { kind, requests } = requestMatchOf({ sender, createdAt: undefined, foundAt: 1 }, open);
    return [kind, requests.map(({ person }) => person).sort()];
  };
  expect(belongingFor('Carl@Example.org')).toEqual(['reply', [anna.person]]);
  expect(belongingFor('dora@example.net')).toEqual(['several', [anna.person, bo.person]]);
  expect(belongingFor('emil@example.com')).toEqual(['unrequested', []]);
  expect(belongingFor(undefined)).toEqual(['unrequested', []]);
  expect(await openRequests(services, 'T2', account)).toEqual([]);
});
