import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readHistoryPage } from '../../src/features/history/operations.ts';
import { readStatus } from '../../src/features/status/operations.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { admin, anna, bo, type FeaturesOptions, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function withThreeDrops(options: FeaturesOptions = {}) {
  const setup = await setUpFeatures(postgres, options);
  const { shelf, send, work, services, server } = setup;
  await work();
  shelf.put('F1', 'plan.pdf', 'the plan');
  shelf.put('F2', 'map.png', 'the map');
  await send(anna, { files: ['F1'], receivers: ['carl@example.org'], message: 'Hi Carl' });
  await send(bo, { files: ['F2'], receivers: ['dora@example.net'], message: 'Hi Dora' });
  // Somebody else's, from before Dropline or from another program.
  const exchange = services.connectTo({ baseUrl: server.url, username: user, apiKey });
  await exchange.setReceivers((await exchange.readContacts()).local.slice(2));
  await exchange.listFiles();
  await exchange.upload({ name: 'old.txt', size: 1, open: () => shelf.open('', shelf.put('F3', 'old.txt', 'x')) });
  await exchange.createDispatch({ timeToLive: 1, message: 'by hand' });
  return setup;
}

test('people see their own drops, admins all of them with their senders', async () => {
  const { services } = await withThreeDrops();
  const seenBy = async (actor: typeof anna) =>
    (await readHistoryPage(services, actor)).entries.map(({ message, person }) => [message, person]);
  expect(await seenBy(anna)).toEqual([['Hi Carl', anna.person]]);
  expect(await seenBy(bo)).toEqual([['Hi Dora', bo.person]]);
  expect((await seenBy(admin)).sort()).toEqual([
    ['Hi Carl', anna.person],
    ['Hi Dora', bo.person],
    ['by hand', undefined],
  ]);
});

test('the senders are known after a change of the key, when the old one is gone, and the details too', async () => {
  const { otherServices, another, secretKeys, store } = await withThreeDrops({ isOwn: true });
  await store.pool.query('update dropline.dispatches set details_sealed = null');
  const next = randomBytes(32);
  await (await another({ secretKeys: [next, ...secretKeys] })).sealAgain();
  const rotated = await another({ secretKeys: [next] });
  const { entries } = await readHistoryPage(otherServices(rotated), anna);
  expect(entries.map(({ message }) => message)).toEqual(['Hi Carl']);
});

test('pages go from the newest to the oldest, search looks at names, people and messages', async () => {
  const { services, account } = await setUpFeatures(postgres);
  account.drops = Array.from({ length: 25 }, (_, number) => ({
    id: `d${number}`,
    type: 'downloadfiles' as const,
    createdAt: 1_700_000_000_000 + ((number * 7) % 25) * 1_000,
    expiresAt: Date.now() + 1e9,
    ttl: 7,
    message: `number ${(number * 7) % 25}`,
    files: [{ name: number % 5 ? 'a.txt' : 'Fünf.pdf', type: 'text/plain', bytes: 1, sha256: '' }],
    receivers: [{ email: `r${number}@example.org`, nick: number === 3 ? 'Drei' : '' }],
    pages: [],
  }));
  const messages = async (query: Parameters<typeof readHistoryPage>[2]) => {
    const { entries, total } = await readHistoryPage(services, admin, query);
    return [total, entries.map(({ message }) => message)];
  };
  expect(await messages({ pageSize: 3 })).toEqual([25, ['number 24', 'number 23', 'number 22']]);
  expect(await messages({ pageSize: 3, page: 8 })).toEqual([25, ['number 0']]);
  expect(await messages({ pageSize: 3, page: 9 })).toEqual([25, []]);
  expect((await messages({ search: 'fünf' }))[0]).toBe(5);
  expect((await messages({ search: 'drei' }))[0]).toBe(1);
  expect((await messages({ search: 'R24@EXAMPLE' }))[0]).toBe(1);
  expect((await readHistoryPage(services, admin)).liveDrops).toBe(25);
});

test('the status says what is connected, by whom, how the service is, and who sends', async () => {
  const { services, server, account } = await setUpFeatures(postgres);
  expect(await readStatus(services, anna)).toMatchObject({
    username: user,
    connectedBy: admin.person,
    health: { ok: true, liveDrops: 0 },
    hold: undefined,
    transfers: [],
  });
  account.apiKey = 'changed';
  account.tokens.length = 0;
  expect((await readStatus(services, anna)).health).toMatchObject({ ok: false, code: 'credentials-refused' });
  await server.close();
  expect((await readStatus(services, anna)).health).toMatchObject({ ok: false });
});
