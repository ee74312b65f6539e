import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { bounds } from '../../src/bounds.ts';
import { makeContact } from '../../src/exchange/index.ts';
import { exportAudit } from '../../src/features/audit/export.ts';
import { readTransferHistory } from '../../src/features/contactcard/operations.ts';
import { itemsIn } from '../../src/features/inbox/items/repository.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { inTransaction } from '../../src/store/index.ts';
import { user } from '../helpers/exchange.ts';
import { admin, anna } from '../helpers/features.ts';
import { setUpInbox } from '../helpers/inbox.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const email = 'carl@example.org';

/** Records the largest answer of the database since the last call of `largest`, by the length of its texts. */
function watchQueries(pool: pg.Pool) {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult | pg.QueryResult[]>;
  let bytes = 0;
  const watched = async (...args: unknown[]) => {
    const result = await query(...args);
    const texts = [result].flat().flatMap(({ rows }) => rows.flatMap(Object.values));
    const length = texts.reduce((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
    bytes = Math.max(bytes, length);
    return result;
  };
  vi.spyOn(pool, 'query').mockImplementation(watched as typeof pool.query);
  return function largest(): number {
    const before = bytes;
    bytes = 0;
    return before;
  };
}

test('no query reads more than its share of large items, transfers and audit entries', async () => {
  const setup = await setUpInbox(postgres);
  const { services, store } = setup;
  const largest = watchQueries(store.pool);
  const expectBounded = (what: string) => {
    const bytes = largest();
    expect(bytes, what).toBeGreaterThan(bounds.readBytes / 2);
    expect(bytes, what).toBeLessThanOrEqual(bounds.readBytes + 100_000);
  };

  const files = Array.from({ length: 900 }, (_, number) => ({ name: `${number} ${'x'.repeat(1_000)}` }));
  const listed = Array.from({ length: 15 }, (_, number) => ({
    ...{ url: `url-${number}`, sender: email, createdAt: number, expiresAfter: undefined },
    files,
  }));
  const account = `${setup.server.url}/${user}`;
  const items = itemsIn(store, 'T1', account);
  await inTransaction(store.pool, (client) => items.record(client, listed, false));
  largest();
  expect(await items.page(1, 10, () => true)).toMatchObject({ items: { length: 5 }, total: 15 });
  expectBounded('search');

  const { json } = makeContact({ email, nick: 'x'.repeat(500_000) });
  const details = { recipients: [{ email, json }], files: [], message: '', expiresAfter: 7, removeUnexpected: [] };
  for (let number = 0; number < 26; number += 1) {
    const transfer = { id: randomUUID(), kind: 'request' as const, workspace: 'T1', account, person: anna.person };
    await transfersIn(store).insert(store.pool, { ...transfer, details });
  }
  const card = await readTransferHistory(services, anna, { ...makeContact({ email }), email });
  expect(card).toMatchObject({ received: { length: 5 }, requests: { length: 5 } });
  expectBounded('contact card');

  const entry = { workspace: 'T1', person: 'U1', action: 'pause', outcome: 'done', reference: 'r1' } as const;
  for (let number = 0; number < 33; number += 1)
    await store.audit.record({ ...entry, details: { target: 'sending', reason: 'x'.repeat(bounds.auditChars) } });
  const { csv, olderThan } = await exportAudit(services, admin);
  expect([csv.split('U1,').length - 1, olderThan]).toEqual([33, undefined]);
  expectBounded('export');
  expect((await exportAudit(services, admin, { maxChars: 1_000_000 })).olderThan).toBeDefined();
  largest();

  const other = await setup.openAnotherStore({ secretKeys: [randomBytes(32), ...setup.secretKeys] });
  const largestOther = watchQueries(other.pool);
  expect(await other.reencrypt()).toMatchObject({ undecryptable: [], encrypted: expect.any(Number) });
  expect(largestOther()).toBeLessThanOrEqual(bounds.readBytes + 100_000);
});
