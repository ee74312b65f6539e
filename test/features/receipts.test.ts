import { expect, test } from 'vitest';
import { itemIdOf } from '../../src/features/common/ids.ts';
import type { Actor } from '../../src/features/common/services.ts';
import { makeReceipt, type Subject } from '../../src/features/receipts/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { approve } from '../../src/features/transfers/approval/operations.ts';
import { readReceipt } from '../../src/lib/receipt.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, anna, bo, type FeaturesSetup, setUpFeatures, sha256 } from '../helpers/features.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { cleo, confirmTransfer, policyWith, saveApproval } from './approval.ts';
import { setUpFiles } from './inbox/download.ts';

const postgres = startTestPostgres();

const make = ({ services }: Pick<FeaturesSetup, 'services'>, actor: Actor, subject: Subject) =>
  makeReceipt(services, actor, subject, async (person) => `Name of ${person}`);

async function read(setup: Pick<FeaturesSetup, 'services'>, actor: Actor, subject: Subject) {
  const { signingKeys } = setup.services.store;
  const found = readReceipt(await make(setup, actor, subject), await signingKeys.publicKeys());
  if ('problem' in found) throw new Error(found.problem);
  return found.receipt;
}

test('the receipt of a transfer has its files, recipients, sender and approver', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, startWorker, untilEnded, server, account } = setup;
  await saveApproval(services, admin, policyWith({ every: true, approvers: [cleo.person] }));
  const id = await confirmTransfer(setup);
  await approve(services, cleo, id);
  await startWorker();
  const { approval, committedAt } = await untilEnded(id);
  expect(committedAt).toBeDefined();
  const transfer = { about: 'transfer', id };
  const receipt = await read(setup, anna, transfer);
  const chain = await store.pool.query(`select chain_number::int as number, chain_hash as hash from dropline.audit
    where action = 'send' and outcome = 'sent'`);
  const named = (person: string) => ({ id: person, name: `Name of ${person}` });
  expect(receipt).toMatchObject({
    workspace: 'T1',
    account: `${server.url}/${account.user}`,
    doesNotProve: 'That anyone downloaded or read the files.',
    entries: [
      {
        ...chain.rows[0],
        action: 'send',
        outcome: 'sent',
        by: named(anna.person),
        approvedBy: named(cleo.person),
        approvedAt: new Date(approval?.decision?.at ?? 0).toISOString(),
        to: ['carl@example.org'],
        files: [{ name: 'plan.pdf', size: 8, sha256: sha256('the plan') }],
      },
    ],
  });
  expect(receipt.entries[0]?.confirmedAt).toBeDefined();
  expect(await store.chains.compare('T1', receipt.entries)).toEqual([]);
  const [entry] = await store.audit.list('T1', { action: 'receipt' });
  expect(entry).toMatchObject({ person: anna.person, outcome: 'done', details: { transfer: id } });
  // 30 days after the end, only the audit has the files and recipients.
  await store.pool.query(`update dropline.transfers set content_encrypted = null, progress_encrypted = null`);
  expect((await read(setup, anna, transfer)).entries).toEqual(receipt.entries);
});

test('only those who see a transfer get its receipt', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, send, startWorker, roles, addWorkspace } = setup;
  await addWorkspace('T2');
  await startWorker();
  const { id } = await send(anna, {
    files: [sourceFiles.put('F1', 'plan.pdf', 'the plan')],
    recipients: ['carl@example.org'],
  });
  await changeSettings(services, admin, { auditors: [cleo.person] });
  roles.set('U-guest', 'none');
  const refused = [
    bo,
    { workspace: 'T1', person: 'U-guest' },
    { ...anna, workspace: 'T2' },
    { ...admin, workspace: 'T2' },
  ];
  for (const actor of refused) {
    const { code } = (await failureOf(make(setup, actor, { about: 'transfer', id }))) as { code?: string };
    expect(['not-allowed', 'not-found'], JSON.stringify(actor)).toContain(code);
  }
  for (const actor of [anna, admin, cleo])
    expect((await read(setup, actor, { about: 'transfer', id })).entries).toHaveLength(1);
  for (const other of ['', 'x', id.replace(/^./, 'g'), '00000000-0000-4000-8000-000000000000'])
    expect(await failureOf(make(setup, admin, { about: 'transfer', id: other }))).toMatchObject({ code: 'not-found' });
});

test("the receipt of an item's downloads is for those who see the item", async () => {
  const setup = await setUpFiles(postgres);
  const { services, channelMembers, download, url, store } = setup;
  await changeSettings(services, admin, { inboxChannels: [inboxChannel('C1', { everythingElse: true })] });
  await store.pool.query(`update dropline.inbox_items set belongs_to = '{C1}'`);
  channelMembers.set('C1', [anna.person, bo.person]);
  await download(anna, undefined, { name: 'other.txt' });
  await download(bo, undefined, { name: 'other.txt' });
  const downloads = { about: 'downloads', id: itemIdOf(url) };
  const receipt = await read(setup, bo, downloads);
  const files = [{ name: 'other.txt', size: 5, sha256: sha256('other') }];
  const shared = { action: 'download', outcome: 'done', from: 'carl@example.org', files };
  expect(receipt).toMatchObject({
    doesNotProve: 'That anyone opened or read the files after they were delivered.',
    entries: [anna, bo].map(({ person }) => ({ ...shared, by: { id: person, name: `Name of ${person}` } })),
  });
  expect(await store.chains.compare('T1', receipt.entries)).toEqual([]);
  for (const actor of [cleo, admin, { ...anna, workspace: 'T2' }])
    expect((await failureOf(make(setup, actor, downloads))) as object).toMatchObject({
      code: expect.stringMatching(/^not-(found|connected)$/),
    });
  channelMembers.set('C1', [bo.person]);
  expect(await failureOf(make(setup, anna, downloads))).toMatchObject({ code: 'not-found' });
});

test('a changed audit entry gives no receipt', async () => {
  const setup = await setUpFeatures(postgres);
  const { sourceFiles, send, startWorker, store } = setup;
  await startWorker();
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const { id } = await send(anna, { files, recipients: ['carl@example.org'] });
  await store.pool.query(`update dropline.audit set at = at + interval '1 hour' where action = 'send'`);
  expect(await failureOf(make(setup, anna, { about: 'transfer', id }))).toMatchObject({ code: 'changed' });
});
