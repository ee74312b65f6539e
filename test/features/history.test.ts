import { expect, test } from 'vitest';
import type { Exchange } from '../../src/exchange/index.ts';
import { readHistoryPage } from '../../src/features/history/operations.ts';
import { readStatus } from '../../src/features/status/operations.ts';
import { failureOf, sentEntry, user } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpThreeTransfers } from './history.ts';

const postgres = startTestPostgres();

test('members see their own transfers; admins see all, with their senders', async () => {
  const { services } = await setUpThreeTransfers(postgres);
  const seenBy = async (actor: typeof anna) =>
    (await readHistoryPage(services, actor)).entries.map(({ files, recipients, person }) => [
      ...files.first,
      ...recipients.first,
      person,
    ]);
  const plan = ['plan.pdf', 'carl@example.org', anna.person];
  const map = ['map.png', 'dora@example.net', bo.person];
  expect(await seenBy(anna)).toEqual([plan]);
  expect(await seenBy(bo)).toEqual([map]);
  expect((await seenBy(admin)).sort()).toEqual([map, ['old.txt', 'emil@example.com', undefined], plan]);
});

test('the history is paged from newest to oldest and searched by file and recipient', async () => {
  const { services, account } = await setUpFeatures(postgres);
  account.drops = Array.from({ length: 25 }, (_, number) =>
    sentEntry((number * 7) % 25, {
      message: `number ${(number * 7) % 25}`,
      files: [{ name: number % 5 ? 'a.txt' : 'Fünf.pdf', type: 'text/plain', bytes: 1, sha256: '' }],
      receivers: [{ email: `r${number}@example.org`, nick: number === 3 ? 'Drei' : '' }],
    }),
  );
  const messages = async (query: Parameters<typeof readHistoryPage>[2]) => {
    const { entries, total } = await readHistoryPage(services, admin, query);
    return [total, entries.map(({ createdAt = 0 }) => `number ${createdAt - 1_700_000_000}`)];
  };
  expect(await messages({ pageSize: 3 })).toEqual([25, ['number 24', 'number 23', 'number 22']]);
  expect(await messages({ pageSize: 3, page: 8 })).toEqual([25, ['number 0']]);
  expect(await messages({ pageSize: 3, page: 9 })).toEqual([25, []]);
  expect((await messages({ search: 'fünf' }))[0]).toBe(5);
  expect((await messages({ search: 'drei' }))[0]).toBe(1);
  expect((await messages({ search: 'R24@EXAMPLE' }))[0]).toBe(1);
  expect((await readHistoryPage(services, admin)).activeDownloads).toBe(25);
});

test('a page shows the first 100 and the last 100 characters of a longer text', async () => {
  const { services, account } = await setUpFeatures(postgres);
  const address = `${'a'.repeat(150)}${'b'.repeat(50)}@example.org`;
  account.drops = [sentEntry(0, { receivers: [{ email: address }] })];
  const { entries } = await readHistoryPage(services, admin);
  expect(entries[0]?.recipients).toEqual({ first: [`${address.slice(0, 100)}…${address.slice(-100)}`], total: 1 });
});

/** Counts the clients that are created. Each reader creates one before it waits for the history. */
function countClients() {
  let count = 0;
  const wrap = (exchange: Exchange) => {
    count += 1;
    return exchange;
  };
  return { wrap, count: () => count };
}

test('concurrent history reads share a request; members see only their own transfers', async () => {
  const clients = countClients();
  const { services, server, account } = await setUpThreeTransfers(postgres, clients);
  const countReads = () => server.calls.filter(({ operation }) => operation === 'get_history').length;
  const before = countReads();
  const clientsBefore = clients.count();
  const slow = server.addFault({ operation: 'get_history', kind: 'delay' });
  const first = readHistoryPage(services, admin);
  await slow.triggered;
  const readers = [anna, bo, admin, anna, bo, admin].map((actor) => readHistoryPage(services, actor));
  await expect.poll(clients.count).toBe(clientsBefore + 1 + readers.length);
  expect(countReads()).toBe(before);
  account.drops.push(sentEntry(1));
  await slow.release();
  expect((await first).total).toBeGreaterThanOrEqual(3);
  // Includes the transfer that was sent after the first read had begun.
  expect((await Promise.all(readers)).map(({ total }) => total)).toEqual([1, 1, 4, 1, 1, 4]);
  expect(countReads()).toBe(before + 2);
});

test('a failed read of the history fails for everyone who waits; the next read retries', async () => {
  const clients = countClients();
  const { services, server } = await setUpFeatures(postgres, clients);
  const slow = server.addFault({ operation: 'get_history', kind: 'delay' });
  const first = readHistoryPage(services, admin);
  await slow.triggered;
  const clientsBefore = clients.count();
  const refused = server.addFault({
    operation: 'get_history',
    kind: 'answer',
    times: 2,
    answer: { body: '{"status":"error"}' },
  });
  const second = failureOf(readHistoryPage(services, admin));
  const third = failureOf(readHistoryPage(services, anna));
  await expect.poll(clients.count).toBe(clientsBefore + 2);
  await slow.release();
  expect((await first).total).toBe(0);
  await refused.triggered;
  expect([await second, await third]).toMatchObject([{ code: 'refused' }, { code: 'refused' }]);
  expect((await readHistoryPage(services, admin)).total).toBe(0);
});

test('the status shows the account, who connected it and whether the service works', async () => {
  const { services, server, account } = await setUpFeatures(postgres);
  expect(await readStatus(services, anna)).toMatchObject({
    username: user,
    connectedBy: admin.person,
    health: { ok: true, activeDownloads: 0 },
    hold: undefined,
    transfers: [],
  });
  account.apiKey = 'changed';
  account.tokens.length = 0;
  expect((await readStatus(services, anna)).health).toMatchObject({ ok: false, code: 'credentials-refused' });
  await server.close();
  expect((await readStatus(services, anna)).health).toMatchObject({ ok: false });
});
