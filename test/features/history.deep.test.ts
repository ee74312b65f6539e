import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readHistoryPage, readPastTransfer } from '../../src/features/history/operations.ts';
import { sentEntry } from '../helpers/exchange.ts';
import { admin, anna, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpThreeTransfers } from './history.ts';

const postgres = startTestPostgres();

test('after a key rotation, members still see their transfers without the old key', async () => {
  const { otherServices, openAnotherStore, secretKeys, store } = await setUpThreeTransfers(postgres, {
    isSeparate: true,
  });
  await store.pool.query('update dropline.transfers set content_encrypted = null');
  const next = randomBytes(32);
  await (await openAnotherStore({ secretKeys: [next, ...secretKeys] })).reencrypt();
  const rotated = await openAnotherStore({ secretKeys: [next] });
  const { entries } = await readHistoryPage(otherServices(rotated), anna);
  expect(entries.map(({ files }) => files.first)).toEqual([['plan.pdf']]);
});

test('a long history entry is shortened in the list and complete in its details', async () => {
  const { services, account } = await setUpFeatures(postgres);
  const name = `${'n'.repeat(3_000)}.pdf`;
  const email = `${'e'.repeat(3_000)}@example.org`;
  const many = Array.from({ length: 500 }, () => ({ email, nick: 'x'.repeat(3_000) }));
  const files = many.map(() => ({ name, type: 'text/plain', bytes: 1, sha256: '' }));
  account.drops = [sentEntry(1, { message: 'm'.repeat(100_000), receivers: many, files })];
  const [entry] = (await readHistoryPage(services, admin)).entries;
  expect(entry).toMatchObject({ files: { total: 500 }, recipients: { total: 500 } });
  expect(entry?.files.first[0]).toMatch(/^n{100}…n{96}\.pdf$/);
  expect(entry?.recipients.first[2]).toMatch(/^e{100}…e{88}@example\.org$/);
  expect(JSON.stringify(entry).length).toBeLessThan(2_000);
  const { transfer: complete } = await readPastTransfer(services, admin, entry?.id ?? '');
  expect([complete.files.length, complete.recipients[499]?.email]).toEqual([500, email]);
});

test('a page far back in a long, unsorted history shows the right entries', async () => {
  const { services, account } = await setUpFeatures(postgres);
  account.drops = Array.from({ length: 3_000 }, (_, number) => sentEntry((number * 1_009) % 3_000));
  const { entries, total } = await readHistoryPage(services, admin, { page: 100, pageSize: 8 });
  expect(total).toBe(3_000);
  expect(entries.map(({ files }) => files.first[0])).toEqual(
    Array.from({ length: 8 }, (_, number) => `${2_199 - number}.txt`),
  );
});
