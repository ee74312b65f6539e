import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keepHold } from '../../src/features/outgoing/holds.ts';
import { belongingOf, openRequests } from '../../src/features/request/matching.ts';
import { requestFiles } from '../../src/features/request/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const wish = { receivers: ['carl@example.org'], groups: [], message: 'Please send the plans', timeToLive: 3 };

test('requests are off until an admin switches them on', async () => {
  const { services } = await setUpFeatures(postgres);
  expect(await failureOf(requestFiles(services, anna, wish))).toMatchObject({ code: 'switched-off' });
  expect(await failureOf(changeSettings(services, anna, { requests: true }))).toMatchObject({ code: 'not-allowed' });
  await changeSettings(services, admin, { requests: true });
  expect(await requestFiles(services, anna, wish)).toMatch(/^[0-9a-f-]{36}$/);
});

test('nobody is asked from an account that is on hold', async () => {
  const { services, store, server, account } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await keepHold(store.pool, `${server.url}/${account.user}`, randomUUID(), 'unknown');
  expect(await failureOf(requestFiles(services, anna, wish))).toMatchObject({ code: 'held' });
});

test('the contacts chosen, and nobody else, get access, and the receivers are cleared afterwards', async () => {
  const { services, account, work, ended, server } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await work();
  const id = await requestFiles(services, anna, { ...wish, groups: ['board'] });
  expect(await ended(id)).toMatchObject({ state: 'sent', kind: 'grant', person: anna.person });
  expect(account.uploadPages.map(({ contact, message }) => [contact.email, message])).toEqual([
    ['carl@example.org', wish.message],
    ['dora@example.net', wish.message],
  ]);
  expect(account.receivers).toEqual([]);
  expect(server.calls.filter(({ operation }) => operation === 'givedrop')).toHaveLength(1);
});

test('a form that is submitted twice asks once', async () => {
  const { services, account, work, ended } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const id = '7d1c6a86-53b5-4b4e-9a35-0f9c6d1e1c11';
  await requestFiles(services, anna, { ...wish, id });
  expect(await failureOf(requestFiles(services, anna, { ...wish, id }))).toMatchObject({ code: 'used' });
  await work();
  await ended(id);
  expect(account.uploadPages).toHaveLength(1);
});

test('without an answer: found in the history it was given, absent from it nobody knows, and nothing stays on hold', async () => {
  const { services, server, account, work, ended, store } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await work();
  server.addFault({ operation: 'givedrop', kind: 'reset-after' });
  expect(await ended(await requestFiles(services, anna, wish))).toMatchObject({ state: 'sent' });
  server.addFault({ operation: 'givedrop', kind: 'reset-before' });
  expect(await ended(await requestFiles(services, anna, { ...wish, message: 'Again' }))).toMatchObject({
    state: 'unknown',
  });
  expect(account.uploadPages).toHaveLength(1);
  expect((await store.pool.query('select from dropline.holds')).rows).toEqual([]);
});

test('where no token is to be had for the call that asks, nobody was asked, and that is known', async () => {
  const { services, server, account, store, work, ended } = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      async grantAccess(parameters) {
        // The token has run out since the calls before it, and the page that gives another one breaks off.
        await store.pool.query("delete from dropline.keyv where key like 'csrf:%'");
        server.addFault({ operation: 'index', kind: 'reset-before', times: 5 });
        await exchange.grantAccess(parameters);
      },
    }),
  });
  await changeSettings(services, admin, { requests: true });
  await work();
  expect(await ended(await requestFiles(services, anna, wish))).toMatchObject({ state: 'failed' });
  expect(account.uploadPages).toEqual([]);
});

test('switched off or changed between asking and job: nobody gets access, and it is said why', async () => {
  const { services, account, work, ended } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const first = await requestFiles(services, anna, wish);
  const second = await requestFiles(services, bo, { ...wish, receivers: ['dora@example.net'] });
  account.contacts.local.splice(1, 1);
  await changeSettings(services, admin, { requests: false });
  await work();
  expect((await ended(first)).details?.result?.code).toBe('switched-off');
  expect((await ended(second)).details?.result).toMatchObject({ code: 'changed', names: ['dora@example.net'] });
  expect(account.uploadPages).toEqual([]);
});

test('a sender belongs to the one who asked, to all of several, or to nobody', async () => {
  const { services, work, ended, server } = await setUpFeatures(postgres);
  const { account } = services.connectTo({ baseUrl: server.url, username: user, apiKey });
  await changeSettings(services, admin, { requests: true });
  await work();
  await ended(await requestFiles(services, anna, { ...wish, receivers: ['carl@example.org', 'dora@example.net'] }));
  await ended(await requestFiles(services, bo, { ...wish, receivers: ['dora@example.net'] }));
  const open = await openRequests(services, 'T1', account);
  const peopleOf = (sender: string | undefined) => {
    const { kind, requests } = belongingOf(sender, open);
    return [kind, requests.map(({ person }) => person).sort()];
  };
  expect(peopleOf('Carl@Example.org')).toEqual(['reply', [anna.person]]);
  expect(peopleOf('dora@example.net')).toEqual(['several', [anna.person, bo.person]]);
  expect(peopleOf('emil@example.com')).toEqual(['unasked', []]);
  expect(peopleOf(undefined)).toEqual(['unasked', []]);
  expect(await openRequests(services, 'T2', account)).toEqual([]);
});
