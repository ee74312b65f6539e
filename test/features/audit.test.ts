import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { exportAudit } from '../../src/features/audit/export.ts';
import { fromCsv } from '../../src/features/common/csv.ts';
import { fileIdOf, itemIdOf } from '../../src/features/common/ids.ts';
import { clearAccountRecipients } from '../../src/features/files/operations.ts';
import { recordDownloadOutcome, removeInfectedMark } from '../../src/features/inbox/download/operations.ts';
import { itemsIn } from '../../src/features/inbox/items/repository.ts';
import { takeItem } from '../../src/features/inbox/work/operations.ts';
import { pause } from '../../src/features/pause/operations.ts';
import { removeChannel, saveChannel } from '../../src/features/settings/channels/operations.ts';
import { changeSettings, saveDraft } from '../../src/features/settings/operations.ts';
import { releaseHold, resumePolling } from '../../src/features/status/operations.ts';
import { approve, decline } from '../../src/features/transfers/approval/operations.ts';
import { tickPoint } from '../../src/features/transfers/checklist/operations.ts';
import { setHold } from '../../src/features/transfers/holds/repository.ts';
import { cancelTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { resumeTransfers } from '../../src/features/transfers/queue.ts';
import { removeUnexpectedAndSend } from '../../src/features/transfers/send/operations.ts';
import type { Store } from '../../src/store/index.ts';
import { dumpOf } from '../helpers/dump.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { setUpInbox } from '../helpers/inbox.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { insertTransfer, requestContent, sendContent, takeSteps } from '../helpers/transfers.ts';
import { cleo, confirmTransfer, policyWith, saveApproval } from './approval.ts';

const postgres = startTestPostgres();

/** A workspace with everything that the operations below change. */
async function setUp() {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { services, store, server, account, arrive, poll } = setup;
  const accountId = `${server.url}/${account.user}`;
  await changeSettings(services, admin, { inboxChannels: [inboxChannel('C1', { takeAndDone: true })] });
  const { url } = await arrive('carl@example.org', ['plan.pdf']);
  await poll();
  await itemsIn(store, 'T1', accountId).recordScan(store.pool, url, {
    file: 'plan.pdf',
    state: 'infected',
    detail: 'Eicar',
  });
  const { url: cleanUrl } = await arrive('dora@example.net', ['map.png']);
  await poll();
  const waiting = await confirmTransfer(setup);
  const policy = policyWith({ every: true, approvers: [bo.person] });
  await saveApproval(services, admin, policy);
  const [undecided = '', declined = '', cancelled = ''] = [
    await confirmTransfer(setup),
    await confirmTransfer(setup),
    await confirmTransfer(setup),
  ];
  const sender = { workspace: 'T1', account: accountId, person: anna.person };
  const request = await insertTransfer(store, {
    ...sender,
    content: requestContent({ checklist: { message: '', points: ['Passport'] } }),
  });
  const result = { code: 'unexpected-files', message: 'Blocked', names: ['other.txt'] };
  const blocked = await insertTransfer(store, { ...sender, content: sendContent(), progress: { result } });
  await takeSteps(store, blocked, ['failed']);
  await pause(services, admin, 'downloads', 'Audit');

  const login = { baseUrl: server.url, username: user, apiKey };
  const mark = { item: itemIdOf(url), file: fileIdOf('plan.pdf') };
  const operations: Record<string, () => Promise<unknown>> = {
    setting: () => changeSettings(services, admin, { message: 'Hello' }),
    fields: () => saveDraft(services, admin, { draft: { recipientDomains: ['example.org'] } }),
    'inbox channel': () => saveChannel(services, admin, inboxChannel('C2', { senders: ['example.org'] })),
    'removal of an inbox channel': () => removeChannel(services, admin, 'C1'),
    'approval policy': () => saveApproval(services, admin, policyWith({ ...policy, recipients: 5 })),
    approval: () => approve(services, bo, undecided),
    decline: () => decline(services, bo, declined, 'No'),
    'cancel of an undecided transfer': () => cancelTransfer(services, anna, cancelled),
    'cancel of a waiting transfer': () => cancelTransfer(services, anna, waiting),
    pause: () => pause(services, admin, 'sending', 'Audit'),
    resume: () => resumeTransfers(services, admin, 'downloads'),
    connect: () => connect(services, admin, { ...login, inboxChannel: 'C3' }),
    'resume polling': () => resumePolling(services, admin),
    download: () => recordDownloadOutcome(services, bo, { url: cleanUrl, name: 'map.png' }),
    take: () => takeItem(services, bo, itemIdOf(cleanUrl)),
    tick: () => tickPoint(services, anna, { id: request, point: 0, isTicked: true }),
    'infected mark': () => removeInfectedMark(services, admin, mark),
    'unexpected files': () => removeUnexpectedAndSend(services, admin, blocked),
    disconnect: () => disconnect(services, admin),
    'hold release': () => releaseHold(services, admin),
  };
  const holdAccount = () => setHold(store.pool, { id: waiting, workspace: 'T1', account: accountId }, 'unknown');

  /** Everything that is stored, except the audit and the service's tokens. */
  const dump = async () =>
    (await dumpOf(store.pool))
      .replace(/^dropline\.audit\n[\s\S]*?(?=^dropline\.\w+$)/m, '')
      .split('\n')
      .filter((line) => !line.startsWith('(csrf:'))
      .sort()
      .join('\n');

  return { ...setup, operations, holdAccount, dump };
}

/** Lets the database refuse entries of what was done. */
async function refuseEntries({ pool }: Store): Promise<void> {
  await pool.query(`
    create function no_audit() returns trigger language plpgsql as $$ begin raise 'no audit'; end $$;
    create trigger no_audit before insert on dropline.audit for each row when (new.outcome = 'done')
      execute function no_audit()`);
  onTestFinished(() => void pool.query('drop function no_audit cascade'));
}

test("nothing is changed if its audit entry can't be written", async () => {
  const { store, operations, holdAccount, dump } = await setUp();
  await refuseEntries(store);
  const changed: string[] = [];
  let before = await dump();
  for (const [name, operation] of Object.entries(operations)) {
    // Last, because other operations are refused during a hold.
    if (name === 'hold release') {
      await holdAccount();
      before = await dump();
    }
    const failure = await operation().then(
      () => 'none',
      (error: unknown) => String(error),
    );
    const after = await dump();
    if (failure !== 'error: no audit' || after !== before) changed.push(`${name}: ${failure}`);
    before = after;
  }
  expect(changed).toEqual([]);
});

test('an effect on the service that is not recorded is an error, not a failed attempt', async () => {
  const { services, store, server } = await setUpFeatures(postgres);
  await refuseEntries(store);
  const logged: unknown[] = [];
  const log = { ...services.log, error: (fields: object, message: string) => logged.push([message, fields]) };
  await expect(clearAccountRecipients({ ...services, log }, admin)).rejects.toThrow('no audit');
  expect(server.calls.map(({ operation }) => operation)).toContain('receivers_set');
  expect(logged).toMatchObject([['audit not written', { ...admin, action: 'clear recipients', outcome: 'done' }]]);
  expect((await store.audit.list('T1')).map(({ action }) => action)).not.toContain('clear recipients');
});

test('the CSV of the audit log has columns for files, recipients, size and hashes', async () => {
  const { services, store } = await setUpFeatures(postgres);
  await store.audit.record({
    ...anna,
    action: 'send',
    outcome: 'sent',
    reference: 'r1',
    details: {
      files: [
        { name: '=cmd().pdf', size: 5, sha256: 'ab12' },
        { name: 'b.txt', size: 7 },
      ],
      recipients: ['carl@example.org', 'dora@example.net'],
      scan: { clean: 1, unscanned: [{ name: 'b.txt', reason: 'too large' }] },
    },
  });
  await changeSettings(services, admin, { admins: [bo.person], watchedChannels: ['C1'] });
  await store.pool.query(`update dropline.audit set outcome = 'not-allowed' where action = 'connect'`);
  const nameOf = async (named: object) => ('user' in named ? `Name of ${named.user}` : 'general');
  const { csv } = await exportAudit(services, admin, { nameOf });
  const rows = (await fromCsv(csv, 10)).map(({ cells: [, ...cells] }) => cells);
  expect(rows).toEqual([
    ['person', 'name', 'action', 'outcome', 'reference', 'files', 'recipients', 'bytes', 'sha256', 'details'],
    [
      admin.person,
      'Name of U-admin',
      'settings',
      'done',
      expect.any(String),
      '',
      '',
      '',
      '',
      'Additional admins: not set → Name of U-bo; Watched channels: not set → #general',
    ],
    [
      anna.person,
      'Name of U-anna',
      'send',
      'sent',
      'r1',
      '=cmd().pdf; b.txt',
      'carl@example.org; dora@example.net',
      '12',
      'ab12; –',
      '1 file clean, 1 not scanned: b.txt (too large)',
    ],
    ['', '', '', '', '', '', '', '', '', expect.stringContaining("This entry can't be trusted: it was changed")],
  ]);
});

test('a decision that came too late is recorded as tried', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store } = setup;
  const approvers = [bo.person, cleo.person];
  await saveApproval(services, admin, policyWith({ every: true, approvers }));
  const id = await confirmTransfer(setup);
  await decline(services, bo, id, 'Not final');
  await approve(services, cleo, id);
  const entries = (await store.audit.list('T1')).filter(({ action }) => ['approve', 'decline'].includes(action));
  const content = { files: [{ name: 'plan.pdf', size: 8 }], recipients: ['carl@example.org'], transfer: id };
  expect(entries).toMatchObject([
    { person: cleo.person, action: 'approve', outcome: 'decided', details: content },
    { person: bo.person, action: 'decline', outcome: 'done', details: { ...content, reason: 'Not final' } },
  ]);
});
