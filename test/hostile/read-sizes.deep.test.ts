import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeContact } from '../../src/exchange/index.ts';
import { exportAudit } from '../../src/features/audit/export.ts';
import { readTransferHistory } from '../../src/features/contactcard/operations.ts';
import { readHome } from '../../src/features/home/operations.ts';
import { itemsSeenBy } from '../../src/features/inbox/items/seen.ts';
import { itemSync } from '../../src/features/inbox/items/sync.ts';
import { takenBy } from '../../src/features/inbox/work/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { bounds } from '../../src/lib/bounds.ts';
import { inTransaction } from '../../src/store/index.ts';
import { user } from '../helpers/exchange.ts';
import { admin, anna } from '../helpers/features.ts';
import { setUpInbox } from '../helpers/inbox.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { insertTransfer, requestContent } from '../helpers/transfers.ts';

const postgres = startTestPostgres();
const email = 'carl@example.org';

/** Records the answers of the database since the last call of `taken`, by the length of their texts. */
function watchQueries(pool: pg.Pool) {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult | pg.QueryResult[]>;
  let read = { largest: 0, total: 0 };
  const watched = async (...args: unknown[]) => {
    const result = await query(...args);
    const texts = [result].flat().flatMap(({ rows }) => rows.flatMap(Object.values));
    const length = texts.reduce((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
    read = { largest: Math.max(read.largest, length), total: read.total + length };
    return result;
  };
  const spy = vi.spyOn(pool, 'query').mockImplementation(watched as typeof pool.query);
  onTestFinished(() => spy.mockRestore());
  return function taken(): typeof read {
    const before = read;
    read = { largest: 0, total: 0 };
    return before;
  };
}

test('no query and no search reads more than its share of large values', async () => {
  const setup = await setUpInbox(postgres);
  const { services, store } = setup;
  // The largest lists of names that are stored, so many that one search can't read all of them.
  const files = Array.from({ length: 1_000 }, (_, number) => ({ name: `${number} ${'x'.repeat(1_030)}` }));
  const listed = Array.from({ length: 66 }, (_, number) => ({
    ...{ url: `url-${number}`, sender: email, createdAt: number, expiresAfter: undefined },
    files,
  }));
  const account = `${setup.server.url}/${user}`;
  const sync = itemSync(store, 'T1', account);
  await inTransaction(store.pool, (client) => sync.record(client, listed, false, () => ['C1']));
  await changeSettings(services, admin, { inboxChannels: [inboxChannel('C1', { takeAndDone: true })] });
  await store.pool.query('update dropline.inbox_items set taken_by = $1, taken_at = now()', [anna.person]);
  const viewer = { workspace: 'T1', account, person: anna.person, owners: ['C1'] };
  const taken = watchQueries(store.pool);
  const expectBounded = (what: string, maxTotal = Number.POSITIVE_INFINITY) => {
    const { largest, total } = taken();
    expect(largest, what).toBeGreaterThan(bounds.readBytes / 2);
    expect(largest, what).toBeLessThanOrEqual(bounds.readBytes + 100_000);
    expect(total, what).toBeLessThanOrEqual(maxTotal);
  };

  const { searched = 66, ...found } = await itemsSeenBy(store, viewer).page(1, 10, () => true);
  expectBounded('search', bounds.searchBytes + bounds.readBytes);
  expect(searched).toBeLessThan(66);
  expect(found).toMatchObject({ items: { length: 10 }, total: searched });
  const cardOf = (address: string) =>
    readTransferHistory(services, anna, { ...makeContact({ email: address }), email: address });
  expect((await cardOf('nobody@example.org')).received).toEqual({ items: [], searched, areUnknown: false });
  expectBounded('contact card of someone else', bounds.searchBytes + bounds.readBytes);
  const home = await readHome(services, anna);
  expect(home).toMatchObject({ taken: { items: { length: 20 }, more: 46 } });
  expectBounded('Home', 3 * bounds.readBytes);
  const settings = await readSettings(services, { workspace: 'T1' });
  expect((await takenBy(services, settings, viewer, 1)).items).toHaveLength(1);
  expectBounded('whether an item is taken', bounds.readBytes + 100_000);

  await store.pool.query(`delete from dropline.inbox_items where url not like 'url-1%'`);
  const { json } = makeContact({ email, nick: 'x'.repeat(500_000) });
  const content = requestContent({ recipients: [{ email, json }] });
  for (let number = 0; number < 26; number += 1)
    await insertTransfer(store, { workspace: 'T1', account, person: anna.person, content });
  const card = await cardOf(email);
  expect(card).toMatchObject({ received: { items: { length: 5 }, searched: undefined }, requests: { length: 5 } });
  expectBounded('contact card');

  const entry = { workspace: 'T1', person: 'U1', action: 'pause', outcome: 'done', reference: 'r1' } as const;
  for (let number = 0; number < 33; number += 1)
    await store.audit.record({ ...entry, details: { target: 'sending', reason: 'x'.repeat(bounds.auditChars) } });
  const { csv, olderThan } = await exportAudit(services, admin);
  expect([csv.split('U1,').length - 1, olderThan]).toEqual([33, undefined]);
  expectBounded('export');
  expect((await exportAudit(services, admin, { maxChars: 1_000_000 })).olderThan).toBeDefined();
  taken();

  const other = await setup.openAnotherStore({ secretKeys: [randomBytes(32), ...setup.secretKeys] });
  const takenOther = watchQueries(other.pool);
  expect(await other.reencrypt()).toMatchObject({ undecryptable: [], encrypted: expect.any(Number) });
  expect(takenOther().largest).toBeLessThanOrEqual(bounds.readBytes + 100_000);
});
