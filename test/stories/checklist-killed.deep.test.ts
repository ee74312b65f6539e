import { expect, test } from 'vitest';
import type { AppSetup } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type RunningProgram, usePrograms } from '../helpers/program.ts';
import type { BotWorkerArgs } from '../programs/bot-worker.ts';
import { checklistsOf, setUpChecklist } from './checklist.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

async function startWorker({ database, env, slack }: AppSetup): Promise<RunningProgram> {
  const args: BotWorkerArgs = {
    databaseUrl: database.connectionString,
    secretKey: env.SECRET_KEY ?? '',
    slackApiUrl: slack.apiUrl,
  };
  const worker = programs.run('test/programs/bot-worker.ts', [JSON.stringify(args)]);
  await worker.nextLine();
  return worker;
}

test.each(['chat.update', 'chat.delete'])(
  'after a worker is killed at %s, checklist points can still be ticked',
  async (method) => {
    let worker: RunningProgram | undefined;
    const app = await setUpChecklist(postgres, {
      isWorking: false,
      beforeConnect: async (setup) => {
        worker = await startWorker(setup);
      },
    });
    const { bo, slack, addItem, services } = app;
    const waiting = async () =>
      (await services.store.pool.query('select from dropline.inbox_items where announced_at is null')).rowCount;
    await addItem('carl@example.org', ['passport.pdf']);
    await bo.sees('What has arrived? Missing: Passport and Contract, signed.');
    const fault = slack.addFault({ method, kind: 'hang-after' });
    await addItem('carl@example.org', ['contract.pdf']);
    await fault.triggered;
    worker?.child.kill('SIGKILL');
    await worker?.ended;
    await startWorker(app);
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
    await bo.sees('contract.pdf');
    expect(checklistsOf(bo)).toHaveLength(1);
    await bo.clicks('⬜ Passport');
    await bo.sees('Missing: 1 of 2');
    expect(checklistsOf(bo)[0]?.text).toContain('[✅ Passport]');
  },
  300_000,
);
