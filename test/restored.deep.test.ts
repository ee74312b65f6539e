import { expect, onTestFinished, test } from 'vitest';
import { type BotProcess, killHard, startBot, terminate } from './helpers/bot-process.ts';
import { type InboxApp, setUpInboxApp } from './helpers/inbox-app.ts';
import { copyDatabase, startTestPostgres } from './helpers/postgres.ts';
import { runMain, usePrograms } from './helpers/program.ts';
import { reviews, stages } from './helpers/send-steps.ts';

const postgres = startTestPostgres();
const programs = usePrograms();
const run = runMain(programs);

async function startOn({ slack, env }: Pick<InboxApp, 'slack' | 'env'>, DATABASE_URL?: string): Promise<BotProcess> {
  const changed = DATABASE_URL === undefined ? env : { ...env, DATABASE_URL };
  const bot = await startBot(programs, 'all', { ...changed, POLL_SECONDS: '5' });
  slack.deliverTo(bot.url);
  return bot;
}

test('after a restore from a backup nothing is done twice, and people are told', async () => {
  let bot: BotProcess | undefined;
  const app = await setUpInboxApp(postgres, {
    hasExternalBot: true,
    beforeConnect: async (setup) => {
      bot = await startOn(setup);
    },
  });
  if (bot === undefined) throw new Error('no bot was started');
  const { anna, bo, account, exchange, database, env, addItem, changeSettings } = app;
  await changeSettings({ undoSeconds: 0 });
  await addItem('carl@example.org', ['early.pdf']);
  await bo.sees('early.pdf');
  await stages(bo, [{ name: 'planned.pdf', data: 'planned' }]);
  await reviews(bo);
  await bo.fills('Send later', new Date(Date.now() + 48 * 3_600_000).toISOString());
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('Everything is checked again before that.');
  await bo.closes();

  // At the time of the backup, the service has a transfer and a list of contacts without having answered.
  const faults = (['createdrop', 'contacts_add'] as const).map((operation) =>
    exchange.addFault({ operation, kind: 'hang-after' }),
  );
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo, { to: 'dora' });
  await bo.submits('Send 1 file to 1 person');
  await bo.closes();
  await bo.types('/drop contacts add gert@example.org 46701234567 Gert', { in: '#general' });
  for (const fault of faults) await fault.triggered;
  expect(await run(['restored'], env)).toEqual({ code: 1, printed: 'Stop Dropline first: a worker is running.\n' });
  await killHard(bot);
  const backup = await copyDatabase(database);
  onTestFinished(() => backup.drop());

  // What happens after the backup is lost with the database.
  const lost = await startOn(app);
  await bo.opens('Dropline');
  await bo.sees(/✅ Sent\s+plan\.pdf/);
  await bo.sees('Contact added.');
  await bo.clicks('Send now: planned.pdf');
  await bo.sees(/✅ Sent\s+planned\.pdf/);
  await addItem('dora@example.net', ['late.pdf']);
  await bo.opens('#inbox');
  await bo.sees('late.pdf');
  await terminate(lost);
  expect(account.drops).toHaveLength(2);
  const contacts = structuredClone(account.contacts.local);
  const calls = exchange.calls.length;

  const restoredEnv = { ...env, DATABASE_URL: backup.connectionString };
  expect(await run(['restored'], restoredEnv)).toEqual({
    code: 0,
    printed: 'Marked as unconfirmed: transfers 2, contact changes 1\nYou can start Dropline now.\n',
  });
  await startOn(app, backup.connectionString);
  await bo.opens('Dropline');
  for (const name of ['plan.pdf', 'planned.pdf'])
    await bo.sees(new RegExp(`⚠️ Delivery unconfirmed\\s+${name.replace('.', '\\.')}[^]*restored from a backup`));
  await bo.sees("I don't know whether this was saved");
  await bo.opens('#inbox');
  await bo.sees('They may have been posted before');
  expect(account.drops).toHaveLength(2);
  expect(account.contacts.local).toEqual(contacts);
  const writes = exchange.calls.slice(calls).filter(({ operation }) => /createdrop|contacts_add/.test(operation));
  expect(writes).toEqual([]);
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees('The operator restored Dropline from a backup');
  await anna.sees('3 transfers and contact changes marked as unconfirmed');
  await expect.poll(() => run(['verify'], restoredEnv), { interval: 1_000 }).toMatchObject({ code: 0 });

  // Later files are posted as always.
  await addItem('dora@example.net', ['new.pdf']);
  await bo.sees('1 file from dora@example.net');
});
