import { expect, test } from 'vitest';
import { fileIdOf, itemIdOf } from '../../src/features/common/ids.ts';
import type { Actor } from '../../src/features/common/services.ts';
import { parseFields } from '../../src/features/contacts/list/fields.ts';
import { downloadOrders } from '../../src/features/inbox/orders/repository.ts';
import { pause } from '../../src/features/pause/operations.ts';
import { pausesIn } from '../../src/features/pause/repository.ts';
import { changeDraft, readDraft } from '../../src/features/staging/repository.ts';
import { resumeTransfers } from '../../src/features/transfers/queue.ts';
import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import type { AppSetup } from '../helpers/app.ts';
import { killHard } from '../helpers/bot-process.ts';
import { runJobsNow } from '../helpers/contacts.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import type { InboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type RunningProgram, usePrograms } from '../helpers/program.ts';
import type { BotWorkerArgs } from '../programs/bot-worker.ts';
import type { KilledOperation } from '../programs/killed-operation.ts';
import { setUpChecklist } from '../stories/checklist.ts';
import { policyWith, saveApproval } from './approval.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

async function start({ database, env, slack }: AppSetup, program: string): Promise<RunningProgram> {
  const args: BotWorkerArgs = {
    databaseUrl: database.connectionString,
    secretKey: env.SECRET_KEY ?? '',
    slackApiUrl: slack.apiUrl,
  };
  const running = programs.run(`test/programs/${program}.ts`, [JSON.stringify(args)]);
  await running.nextLine();
  return running;
}

/** An operation that can be run again and again. `facts` says what it has done: all of it, or nothing. */
interface Attempt extends Omit<KilledOperation, 'killAfter'> {
  facts(): Promise<Record<string, boolean>>;
}
type Begin = () => Promise<Attempt>;

async function deleteJobs({ store }: AppSetup['services'], name: string): Promise<void> {
  const ids = 'array(select id from graphile_worker.jobs where task_identifier = $1)';
  await store.pool.query(`select graphile_worker.complete_jobs(${ids})`, [name]);
}

/** Every operation, with what it stores. A test process without a worker keeps the queued jobs. */
function operationsOf(app: InboxApp, cy: Actor, url: string, request: string): Begin[] {
  const { acme, anna, bo, exchange, services } = app;
  const { store } = services;
  const workspace = acme.id;
  const [admin, member] = [anna, bo].map(({ id }) => ({ workspace, person: id })) as [Actor, Actor];
  const file = acme.files.find(({ name }) => name === 'plan.pdf')?.id ?? '';
  let attempts = 0;

  const count = async (sql: string, ...values: unknown[]) => (await store.pool.query(sql, values)).rowCount ?? 0;
  const hasJob = async (key: string) =>
    (await count('select from graphile_worker.jobs where key = $1 and locked_at is null', key)) > 0;
  const auditCount = (action: string) =>
    count(`select from dropline.audit where workspace = $1 and action = $2 and outcome = 'done'`, workspace, action);
  /** Whether a number has grown since this call. */
  const growthOf = async (read: () => Promise<number>) => {
    const before = await read();
    return async () => (await read()) > before;
  };
  const review = async (actor: Actor) => {
    const draft = { recipients: ['carl@example.org'], groups: [], message: 'Hello', expiresAfter: 7 };
    return (await prepareSend(services, actor, { ...draft, files: [file] })).reviewId;
  };

  /** Confirms a transfer that can still be undone. */
  const plan = async () => {
    const waiting = { ...services, timing: { ...services.timing, longestUndoMs: 600_000 } };
    return (await confirmSend(waiting, member, await review(member))).id;
  };
  const isDue = async (id: string) =>
    (await count('select from graphile_worker.jobs where key = $1 and run_at <= now()', `send ${id}`)) > 0;

  return [
    async () => {
      const id = await plan();
      const isAudited = await growthOf(() => auditCount('cancel'));
      const facts = async () => ({
        row: (await transfersIn(store).read(id))?.state === 'cancelled',
        audit: await isAudited(),
        job: await isDue(id),
      });
      return { name: 'undoTransfer', actor: member, args: [id], facts };
    },
    async () => {
      const id = await plan();
      const facts = async () => ({
        row: (await transfersIn(store).read(id))?.state === 'waiting',
        job: await isDue(id),
      });
      return { name: 'startNow', actor: member, args: [id], facts };
    },
    async () => {
      await changeDraft(services, member, () => ({ staged: [file], message: 'Hello' }));
      const id = await review(member);
      const facts = async () => ({
        row: (await transfersIn(store).read(id)) !== undefined,
        job: await hasJob(`send ${id}`),
        isDraftEmpty: (await readDraft(services, member)).staged.length === 0,
      });
      return { name: 'confirmSend', actor: member, args: [id], facts };
    },
    async () => {
      const { id } = await confirmSend(services, cy, await review(cy));
      const isAudited = await growthOf(() => auditCount('approve'));
      const facts = async () => ({
        row: (await transfersIn(store).read(id))?.state === 'waiting',
        job: await hasJob(`send ${id}`),
        audit: await isAudited(),
      });
      return { name: 'approve', actor: admin, args: [id], facts };
    },
    async () => {
      const [row, job] = await Promise.all([
        growthOf(() => count('select from dropline.contact_edits')),
        growthOf(() => count(`select from graphile_worker.jobs where task_identifier = 'contacts-edit'`)),
      ]);
      attempts += 1;
      const change = {
        kind: 'edit',
        email: 'dora@example.net',
        fields: parseFields({ number: `4671111${1000 + attempts}` }),
      };
      const facts = async () => ({ row: await row(), job: await job() });
      return { name: 'changeContacts', actor: member, args: [change], facts };
    },
    async () => {
      attempts += 1;
      const name = `page ${attempts}.pdf`;
      const job = await growthOf(() => count(`select from graphile_worker.jobs where task_identifier = 'download'`));
      const row = await growthOf(async () => (await store.collection(downloadOrders).list(workspace)).size);
      const facts = async () => ({ row: await row(), job: await job() });
      return { name: 'askForFile', actor: member, args: [{ item: itemIdOf(url), file: fileIdOf(name) }], facts };
    },
    async () => {
      const readAt = async () => (await store.credentials.get({ workspace }))?.connectedAt ?? 0;
      const [isConnected, isAudited] = [await growthOf(readAt), await growthOf(() => auditCount('connect'))];
      const trials = `select from dropline.keyv where key like 'connect-draft:%'`;
      const jobs = `select from graphile_worker.jobs where task_identifier = 'connect'`;
      const facts = async () => {
        // A draft without a job would never be tested. Its job does nothing once the draft is gone.
        expect.soft(await count(trials), 'drafts without a job').toBeLessThanOrEqual(await count(jobs));
        return { row: await isConnected(), audit: await isAudited() };
      };
      const draft = { baseUrl: exchange.url, username: user, apiKey };
      return { name: 'connectDurably', actor: admin, args: [draft], facts };
    },
    async () => {
      if ((await pausesIn(store).read(admin)).requests !== undefined)
        await resumeTransfers(services, admin, 'requests');
      const isAudited = await growthOf(() => auditCount('pause'));
      const facts = async () => ({
        row: (await pausesIn(store).read(admin)).requests !== undefined,
        audit: await isAudited(),
      });
      return { name: 'pause', actor: admin, args: ['requests', 'Check'], facts };
    },
    async () => {
      if ((await pausesIn(store).read(admin)).requests === undefined) await pause(services, admin, 'requests', 'Check');
      const isAudited = await growthOf(() => auditCount('resume'));
      const facts = async () => ({
        row: (await pausesIn(store).read(admin)).requests === undefined,
        audit: await isAudited(),
      });
      return { name: 'resume', actor: admin, args: ['requests'], facts };
    },
    async () => {
      const isTicked = async () => (await transfersIn(store).read(request, 'request'))?.ticks.length === 1;
      const before = await isTicked();
      const isAudited = await growthOf(async () => (await auditCount('tick off')) + (await auditCount('untick')));
      const jobs = `select from graphile_worker.jobs where task_identifier = 'checklist'`;
      await deleteJobs(services, 'checklist');
      const facts = async () => ({
        row: (await isTicked()) !== before,
        audit: await isAudited(),
        job: (await count(jobs)) > 0,
      });
      return { name: 'tickPoint', actor: member, args: [{ id: request, point: 0, isTicked: !before }], facts };
    },
  ];
}

/** Runs the operation with a kill after one change, after two, and so on, until it ends before the kill. */
async function killBetweenStatements(app: AppSetup, begin: Begin): Promise<void> {
  const problems: string[] = [];
  const startNext = () => {
    const started = start(app, 'killed-operation');
    started.catch(() => {});
    return started;
  };
  let next = startNext();
  for (let killAfter = 1; ; killAfter += 1) {
    const { facts, ...operation } = await begin();
    const program = await next;
    // Start the next process while this one works.
    next = startNext();
    const command: KilledOperation = { ...operation, killAfter };
    program.child.stdin?.write(`${JSON.stringify(command)}\n`);
    const isDone = await program.nextLine().then(
      () => true,
      () => false,
    );
    const { signal } = await killHard(program);
    expect(signal).toBe('SIGKILL');
    const found = await facts();
    if (new Set(Object.values(found)).size > 1)
      problems.push(`${operation.name} killed after change ${killAfter}: ${JSON.stringify(found)}`);
    if (!isDone) continue;
    expect.soft(problems).toEqual([]);
    expect.soft(Object.values(found), operation.name).not.toContain(false);
    expect(killAfter, operation.name).toBeGreaterThan(1);
    await killHard(await next);
    return;
  }
}

test('an operation killed between two statements is stored as a whole or not at all', async () => {
  let worker: RunningProgram | undefined;
  const app = await setUpChecklist(postgres, {
    isWorking: false,
    beforeConnect: async (setup) => {
      worker = await start(setup, 'bot-worker');
    },
  });
  const { acme, anna, bo, services, addItem, account } = app;
  const cy = { workspace: acme.id, person: acme.addPerson({ name: 'Cy' }).id };
  const pages = Array.from({ length: 100 }, (_, number) => `page ${number + 1}.pdf`);
  const { url } = await addItem('emil@example.com', pages);
  const seen = async () =>
    (await services.store.pool.query('select from dropline.inbox_items where announced_at is not null')).rowCount ||
    undefined;
  await until(seen, 'the item to be announced');
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: 'Dropline' });
  await bo.sees('Ready to send: plan.pdf');
  const policy = policyWith({ senders: [bo.id], approvers: [anna.id] });
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  if (worker !== undefined) await killHard(worker);
  const [request] = await allOf(transfersIn(services.store).ended({ workspace: acme.id }));

  for (const begin of operationsOf(app, cy, url, request?.id ?? '')) await killBetweenStatements(app, begin);

  // Whatever was stored is also done. A reconnect would stop it.
  await deleteJobs(services, 'connect');
  const waiting = await allOf(transfersIn(services.store).active({ workspace: acme.id, states: ['waiting'] }));
  expect(waiting.length).toBeGreaterThan(1);
  await start(app, 'bot-worker');
  await until(async () => {
    await runJobsNow(services);
    const states = ['waiting', 'running', 'committing', 'sent'] as const;
    const open = await allOf(transfersIn(services.store).active({ workspace: acme.id, states }));
    return open.length === 0 || undefined;
  }, 'all transfers to end');
  expect(account.drops.filter(({ type }) => type === 'downloadfiles')).toHaveLength(waiting.length);
}, 600_000);
