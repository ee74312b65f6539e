import { expect, test } from 'vitest';
import { bounds } from '../../src/lib/bounds.ts';
import { setUpApp } from '../helpers/app.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a search of a long audit log stops at its limit; the Older button continues it', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  await services.store.audit.record({
    workspace: acme.id,
    person: anna.id,
    action: 'send',
    outcome: 'sent',
    reference: 'ABCDEFGH',
    details: { files: [{ name: 'needle.pdf' }] },
  });
  const entry = { workspace: acme.id, person: anna.id, action: 'download', outcome: 'done', reference: 'r' } as const;
  for (let number = 0; number < bounds.auditEntriesSearched + 10; number += 1) await services.store.audit.record(entry);
  await anna.types('/drop audit needle', { in: '#general' });
  await anna.sees('No results for “needle”.');
  await anna.sees('There are older entries. To search them too, click Older.');
  await anna.clicks('Older');
  await anna.sees('needle.pdf');
  expect(anna.screen()).not.toContain('There are older entries.');
});

test('a search of a large inbox counts all matches and shows them in pages', async () => {
  const { bo, exchange, account, services, acme } = await setUpInboxApp(postgres);
  for (let number = 0; number < 450; number += 1) {
    const files = [{ name: `${number % 2 ? 'odd' : 'even'} ${number}.txt`, data: 'x' }];
    await exchange.addInboxItem(account.user, { sender: 'carl@example.org', files });
  }
  const countItems = async () =>
    (await services.store.pool.query('select from dropline.inbox_items where workspace = $1', [acme.id])).rowCount;
  await expect.poll(countItems, { timeout: 30_000 }).toBe(450);
  await bo.types('/drop inbox odd', { in: '#general' });
  await bo.sees('225 items, newest first.');
  await bo.sees('Page 1 of 29');
  await bo.clicks('Next page');
  await bo.sees('Page 2 of 29');
  expect(bo.screen()).not.toContain('even');
  await bo.sees('Search (optional): odd');
});
