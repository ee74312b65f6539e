import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Exchange } from '../../src/exchange/index.ts';
import { readHistoryPage, readPastTransfer } from '../../src/features/history/operations.ts';
import { readStatus } from '../../src/features/status/operations.ts';
import type { Drop } from '../../src/sandbox/exchange/index.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, anna, bo, type FeaturesOptions, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function setUpThreeTransfers(options: FeaturesOptions = {}) {
  const setup = await setUpFeatures(postgres, options);
  const { sourceFiles, send, work, services, server } = setup;
  await work();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  sourceFiles.put('F2', 'map.png', 'the map');
  await send(anna, { files: ['F1'], receivers: ['carl@example.org'], message: 'Hi Carl' });
  await send(bo, { files: ['F2'], receivers: ['dora@example.net'], message: 'Hi Dora' });
  // A transfer by another program, or from before Dropline was connected.
  const exchange = services.connectTo({ baseUrl: server.url, username: user, apiKey });
  await exchange.setReceivers((await exchange.readContacts()).local.slice(2));
  await exchange.listFiles();
  await exchange.upload({
    name: 'old.txt',
    size: 1,
    open: () => sourceFiles.open('', sourceFiles.put('F3', 'old.txt', 'x')),
  });
  await exchange.createDispatch({ timeToLive: 1, message: 'by hand' });
  return setup;
}

test('people see their own transfers, admins see all with their senders', async () => {
  const { services } = await setUpThreeTransfers();
  const seenBy = async (actor: typeof anna) =>
    (await readHistoryPage(services, actor)).entries.map(({ files, receivers, person }) => [
      ...files.first,
      ...receivers.first,
      person,
    ]);
  const plan = ['plan.pdf', 'carl@example.org', anna.person];
  const map = ['map.png', 'dora@example.net', bo.person];
  expect(await seenBy(anna)).toEqual([plan]);
  expect(await seenBy(bo)).toEqual([map]);
  expect((await seenBy(admin)).sort()).toEqual([map, ['old.txt', 'emil@example.com', undefined], plan]);
});

test('after a key rotation, senders are known without the old key and the details', async () => {
  const { otherServices, openAnotherStore, secretKeys, store } = await setUpThreeTransfers({ isSeparate: true });
  await store.pool.query('update dropline.dispatches set details_sealed = null');
  const next = randomBytes(32);
  await (await openAnotherStore({ secretKeys: [next, ...secretKeys] })).reencrypt();
  const rotated = await openAnotherStore({ secretKeys: [next] });
  const { entries } = await readHistoryPage(otherServices(rotated), anna);
  expect(entries.map(({ files }) => files.first)).toEqual([['plan.pdf']]);
});

const drop = (number: number, more: Partial<Drop> = {}): Drop => ({
  id: `d${number}`,
  type: 'downloadfiles',
  createdAt: 1_700_000_000_000 + number * 1_000,
  expiresAt: Date.now() + 1e9,
  ttl: 7,
  message: '',
  files: [{ name: `${number}.txt`, type: 'text/plain', bytes: 1, sha256: '' }],
  receivers: [{ email: `r${number}@example.org` }],
  pages: [],
  ...more,
});

test('pages go from newest to oldest; search covers file names and people', async () => {
  const { services, account } = await setUpFeatures(postgres);
  account.drops = Array.from({ length: 25 }, (_, number) =>
    drop((number * 7) % 25, {
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

/** Counts the clients that readers create before they wait for the history. */
function countConnections() {
  let count = 0;
  const wrap = (exchange: Exchange) => {
    count += 1;
    return exchange;
  };
  return { wrap, count: () => count };
}

test('history reads during another read are merged; people see only their transfers', async () => {
  const connections = countConnections();
  const { services, server, account } = await setUpThreeTransfers(connections);
  const countReads = () => server.calls.filter(({ operation }) => operation === 'get_history').length;
  const before = countReads();
  const connectionsBefore = connections.count();
  const slow = server.addFault({ operation: 'get_history', kind: 'delay' });
  const first = readHistoryPage(services, admin);
  await slow.struck;
  const readers = [anna, bo, admin, anna, bo, admin].map((actor) => readHistoryPage(services, actor));
  await expect.poll(connections.count).toBe(connectionsBefore + 1 + readers.length);
  expect(countReads()).toBe(before);
  account.drops.push(drop(1));
  await slow.release();
  expect((await first).total).toBeGreaterThanOrEqual(3);
  // Includes the transfer that was sent after the first read had begun.
  expect((await Promise.all(readers)).map(({ total }) => total)).toEqual([1, 1, 4, 1, 1, 4]);
  expect(countReads()).toBe(before + 2);
});

test('a failed read fails for everyone who shares it, and the next reader retries', async () => {
  const connections = countConnections();
  const { services, server } = await setUpFeatures(postgres, connections);
  const slow = server.addFault({ operation: 'get_history', kind: 'delay' });
  const first = readHistoryPage(services, admin);
  await slow.struck;
  const connectionsBefore = connections.count();
  const refused = server.addFault({
    operation: 'get_history',
    kind: 'answer',
    times: 2,
    answer: { body: '{"status":"error"}' },
  });
  const second = failureOf(readHistoryPage(services, admin));
  const third = failureOf(readHistoryPage(services, anna));
  await expect.poll(connections.count).toBe(connectionsBefore + 2);
  await slow.release();
  expect((await first).total).toBe(0);
  await refused.struck;
  expect([await second, await third]).toMatchObject([{ code: 'refused' }, { code: 'refused' }]);
  expect((await readHistoryPage(services, admin)).total).toBe(0);
});

test('a long history entry is shortened in the list and complete in its details', async () => {
  const { services, account } = await setUpFeatures(postgres);
  const name = `${'n'.repeat(3_000)}.pdf`;
  const email = `${'e'.repeat(3_000)}@example.org`;
  const many = Array.from({ length: 500 }, () => ({ email, nick: 'x'.repeat(3_000) }));
  const files = many.map(() => ({ name, type: 'text/plain', bytes: 1, sha256: '' }));
  account.drops = [drop(1, { message: 'm'.repeat(100_000), receivers: many, files })];
  const [entry] = (await readHistoryPage(services, admin)).entries;
  expect(entry).toMatchObject({ files: { total: 500 }, receivers: { total: 500 } });
  expect(entry?.files.first[0]).toMatch(/^n{100}…n{96}\.pdf$/);
  expect(entry?.receivers.first[2]).toMatch(/^e{100}…e{88}@example\.org$/);
  expect(JSON.stringify(entry).length).toBeLessThan(2_000);
  const { transfer: complete } = await readPastTransfer(services, admin, entry?.id ?? '');
  expect([complete.files.length, complete.receivers[499]?.email]).toEqual([500, email]);
});

test('a page far back in a long, unsorted history is correct', async () => {
  const { services, account } = await setUpFeatures(postgres);
  account.drops = Array.from({ length: 3_000 }, (_, number) => drop((number * 1_009) % 3_000));
  const { entries, total } = await readHistoryPage(services, admin, { page: 100, pageSize: 8 });
  expect(total).toBe(3_000);
  expect(entries.map(({ files }) => files.first[0])).toEqual(
    Array.from({ length: 8 }, (_, number) => `${2_199 - number}.txt`),
  );
});

test('the status shows the account, who connected it, service health and transfers', async () => {
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
