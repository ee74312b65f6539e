import { expect, onTestFinished, test } from 'vitest';
import { connectDurably } from '../../src/features/account/connect/jobs.ts';
import { leave } from '../../src/features/account/leave/operations.ts';
import { downloadIdOf, fileIdOf, itemIdOf } from '../../src/features/common/ids.ts';
import { changeContacts } from '../../src/features/contacts/edit/operations.ts';
import { endOrder } from '../../src/features/inbox/download/notify.ts';
import { askForFile } from '../../src/features/inbox/orders/operations.ts';
import { addToBatch, downloadOrders } from '../../src/features/inbox/orders/repository.ts';
import { notifySharedLater } from '../../src/features/staging/notify.ts';
import { stageFiles } from '../../src/features/staging/operations.ts';
import { deskOf } from '../helpers/desks.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { policyWith, saveApproval } from './approval.ts';

const postgres = startTestPostgres();

/** Makes the last statement of each operation fail: a new job, a deleted installation, a batch of downloads. */
const failSql = `
  create function dropline.fail() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$;
  create trigger fail before insert on graphile_worker._private_jobs for each row
    when (coalesce(new.key, '') not like 'leave %') execute function dropline.fail();
  create trigger fail_delete before delete on dropline.keyv for each row
    when (old.key like 'installation:%') execute function dropline.fail();
  create trigger fail_update before update on dropline.keyv for each row
    when (old.key like 'download-batch:%') execute function dropline.fail();`;

test('an operation that fails at its last statement has stored nothing', async () => {
  const { acme, anna, bo, exchange, services, addItem, untilIdle } = await setUpInboxApp(postgres);
  const { store } = services;
  const workspace = acme.id;
  const admin = { workspace, person: anna.id };
  const member = { workspace, person: bo.id };
  await saveApproval(services, admin, policyWith({ senders: [bo.id], approvers: [anna.id] }));
  const { url } = await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const batch = { workspace, id: 'V1' };
  const download = downloadIdOf(bo.id, 'item', 'old.pdf');
  await addToBatch(store, batch, [download]);
  const { account } = await deskOf(store, workspace);
  const order = { account, person: bo.id, url: 'item', name: 'old.pdf', batch: batch.id };
  await store.collection(downloadOrders).set(workspace, order, { name: download });
  await untilIdle();
  const snapshot = async () => {
    const { rows } = await store.pool.query<{ row: string }>(
      `select key || ' ' || value as row from dropline.keyv
       where key ~ '^(account-settings|connect-draft|credentials|download|draft|installation|staged-batch)'
       union all select 'contact edit ' || id from dropline.contact_edits
       union all select 'job ' || task_identifier from graphile_worker.jobs`,
    );
    return rows.map(({ row }) => row.slice(0, 200)).sort();
  };
  const before = await snapshot();
  await store.pool.query(failSql);
  onTestFinished(() => store.pool.query('drop function dropline.fail() cascade').then(() => {}));
  const operations: Record<string, () => Promise<unknown>> = {
    'edit a contact': () => changeContacts(services, member, { kind: 'remove', emails: ['carl@example.org'] }),
    'ask for a file': () => askForFile(services, member, { item: itemIdOf(url), file: fileIdOf('plan.pdf') }),
    'end a download': () => endOrder(services, workspace, download, true),
    'change the approvers': () => saveApproval(services, admin, policyWith({ senders: [bo.id], approvers: [bo.id] })),
    connect: () => connectDurably(services, admin, { baseUrl: exchange.url, username: user, apiKey }),
    'stage a file': () =>
      stageFiles(services, member, ['F1'], [], (client) => notifySharedLater(services, member, 'D1', 'F1', client)),
    'remove the app': () => leave(services, { workspace }, 'uninstall'),
  };
  for (const [name, operation] of Object.entries(operations)) {
    await expect.soft(operation(), name).rejects.toThrow('out of order');
    expect.soft(await snapshot(), name).toEqual(before);
  }
});
