import { randomUUID } from 'node:crypto';
import { reconcileLater } from '../../src/features/contacts/edit/jobs.ts';
import { until } from '../helpers/features.ts';
import { fillsRequest, type RecordingContext, sends, untilTransfersEnd } from './interactions.ts';
import { PersonDriver } from './person-driver.ts';
import { fillConnect } from './tenants.ts';

/**
 * Leaves work of every kind unfinished: jobs are scheduled for later, or the service or Slack stops answering at the
 * worst moment. Then records the buttons of messages.
 */
export async function interruptWork(context: RecordingContext): Promise<void> {
  await scheduleJobs(context);
  await interruptTransfers(context);
  await interruptContactEdits(context);
  await interruptDisconnectAndConnect(context);
  await interruptAnnouncements(context);
  await interruptExportsAndDownloads(context);
  await interruptStaging(context);
  const { recorder, tenants, slack } = context;
  const { acme, birch, grove, hazel, juno } = tenants;
  const bo = new PersonDriver(slack, acme.workspace, acme.workspace.person('Bo'));
  for (const { owner } of [hazel, juno, grove, acme]) recorder.recordMessages(owner);
  recorder.recordMessages(bo, ['send.again', 'files.show', 'send.open']);
  recorder.recordMessages(birch.owner, ['send.cancel', 'request.cancel']);
}

const hourMs = 3_600_000;

/** Adds jobs that are scheduled for later. */
async function scheduleJobs(context: RecordingContext): Promise<void> {
  const { exchange, bot, slack, timing } = context;
  const { juno, birch, cedar, dune } = context.tenants;
  const { pool } = bot.services.store;
  // The history does not show the transfer yet.
  exchange.behaviour.historyLag = 1_000_000;
  await sends(context, juno.owner, { to: 'carl', files: ['late.txt'] });
  await untilTransfersEnd(context, juno);
  exchange.behaviour.historyLag = 0;

  birch.inbox.archive();
  const files = [{ name: 'archived.txt', data: 'bytes of archived.txt' }];
  await exchange.addInboxItem(birch.account.user, { sender: 'emil@example.com', files, ttl: 100 });
  const waits = `select from graphile_worker.jobs where task_identifier = 'announce' and run_at > now() + interval '5 min'`;
  await until(async () => (await pool.query(waits)).rowCount === 1 || undefined, 'the post without a channel');

  // This job is done, as if its worker had died before it could record that.
  const done = bot.logged().find((line) => line.workspace === cedar.workspace.id && line.what === 'baseline');
  const add = (name: string, payload: object, queue: string | null) =>
    pool.query(
      `select graphile_worker.add_job($1, payload => $2::json, queue_name => $3, run_at => now() + interval '1 hour')`,
      [name, JSON.stringify(payload), queue],
    );
  const ids = { workspace: cedar.workspace.id, what: 'baseline' };
  await add('announce', { run: done?.run, ids }, `announce:${cedar.workspace.id}`);
  await add('sweep', { run: randomUUID(), ids: {} }, null);
  await reconcileLater(bot.services, dune.workspace.id);

  timing.batchMs = hourMs;
  await slack.untilSettled();
}

async function interruptTransfers(context: RecordingContext): Promise<void> {
  const { exchange } = context;
  const { birch, cedar, elm } = context.tenants;
  const sent = exchange.addFault({ operation: 'createdrop', kind: 'hang-after' });
  await sends(context, birch.owner, { to: 'carl', files: ['committed.txt'] });
  await sent.triggered;
  await sends(context, birch.owner, { to: 'dora', files: ['queued.txt'] });
  await sends(context, birch.owner, { to: 'emil', files: ['cancelled.txt'] });
  for (const to of ['dora', 'emil']) {
    await fillsRequest(birch.owner, to);
    await birch.owner.submits();
    await context.bot.untilInteractionsDone();
  }

  const lost = exchange.addFault({ operation: 'createdrop', kind: 'hang' });
  await sends(context, cedar.owner, { to: 'carl', files: ['lost.txt'] });
  await lost.triggered;

  const first = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sends(context, elm.owner, { to: 'carl', files: ['half-1.txt', 'half-2.txt'] });
  await first.triggered;
  const second = exchange.addFault({ operation: 'upload', kind: 'hang' });
  await first.release();
  await second.triggered;
}

/** Interrupts three edits: one was made, one was not, and after one a contact is missing. */
async function interruptContactEdits({ exchange, tenants }: RecordingContext): Promise<void> {
  const { cedar, dune, elm } = tenants;
  for (const [tenant, kind] of [
    [cedar, 'hang-after'],
    [dune, 'hang'],
    [elm, 'hang-after'],
  ] as const) {
    const fault = exchange.addFault({ operation: 'contacts_add', kind });
    await tenant.owner.types('/drop contacts add added@example.org 46700000555 Added');
    await fault.triggered;
  }
  elm.account.contacts.local = elm.account.contacts.local.filter(({ email }) => email !== 'dora@example.net');
}

async function interruptDisconnectAndConnect({ exchange, tenants }: RecordingContext): Promise<void> {
  const { fir, hazel } = tenants;
  const leaving = exchange.addFault({ operation: 'receivers_set', kind: 'hang' });
  await fir.owner.types('/drop disconnect');
  await fir.owner.presses('connect.leave');
  await leaving.triggered;
  const connecting = exchange.addFault({ operation: 'index', kind: 'hang' });
  await hazel.owner.types('/drop connect');
  await fillConnect(hazel);
  // Don't wait for the answer: Slack gives up after ten seconds.
  void hazel.owner.submits().catch(() => {});
  await connecting.triggered;
}

/** Leaves two items that are not announced yet. */
async function interruptAnnouncements({ exchange, slack, bot, tenants: { acme } }: RecordingContext): Promise<void> {
  const fault = slack.addFault({ method: 'chat.postMessage', kind: 'hang' });
  const addItem = (sender: string, name: string) =>
    exchange.addInboxItem(acme.account.user, { sender, files: [{ name, data: `bytes of ${name}` }], ttl: 100 });
  await addItem('person09@example.org', 'unannounced.txt');
  await fault.triggered;
  await addItem('dora@example.net', 'unannounced-invoice.txt');
  const sql = 'select from dropline.inbox_items where workspace = $1 and announced_at is null';
  const areWaiting = async () => (await bot.services.store.pool.query(sql, [acme.workspace.id])).rowCount === 2;
  await until(async () => (await areWaiting()) || undefined, 'both items');
}

/** Leaves one download unfinished and one delivered, one table uploaded and one not. */
async function interruptExportsAndDownloads({ exchange, slack, tenants: { acme } }: RecordingContext): Promise<void> {
  const { owner } = acme;
  const downloads = async (name: string) => {
    await owner.types('/drop inbox');
    await owner.presses('inbox.download', name);
  };
  const unfinished = exchange.addFault({ operation: 'download', kind: 'hang' });
  await downloads('part-0.txt');
  await unfinished.triggered;
  const uploaded = slack.addFault({ method: 'chat.delete', kind: 'hang' });
  await downloads('part-1.txt');
  await uploaded.triggered;
  const exported = slack.addFault({ method: 'chat.update', kind: 'hang' });
  await owner.types('/drop contacts');
  await owner.presses('contacts.export');
  await exported.triggered;
  const uploadRequested = slack.addFault({ method: 'files.getUploadURLExternal', kind: 'hang' });
  await owner.types('/drop audit');
  await owner.presses('audit.export');
  await uploadRequested.triggered;
}

/** Leaves files that Cleo shared in a direct message and in a watched channel, before the bot has answered. */
async function interruptStaging({ slack, bot, tenants: { acme } }: RecordingContext): Promise<void> {
  const cleo = new PersonDriver(slack, acme.workspace, acme.workspace.person('Cleo'));
  acme.workspace.channel('projects').add(cleo.person);
  for (const conversation of ['Dropline', '#projects'])
    await cleo.person.shares([{ name: `shared in ${conversation}.txt`, data: 'shared' }], { in: conversation });
  const sql = `select from graphile_worker.jobs where task_identifier = 'tray-told'`;
  const areWaiting = async () => (await bot.services.store.pool.query(sql)).rowCount === 2 || undefined;
  await until(areWaiting, 'the files to be staged');
}
