import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { until } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { sendStaged } from './send.ts';

const hour = 3_600_000;

export const timing = { lateCheckPausesMs: [hour, hour] };

/** Bo sends a file. The answer is lost, the file stays on the account, and the history doesn't list the transfer. */
export async function sendUnconfirmed(postgres: TestPostgres): Promise<AppSetup & { checkHistory(): Promise<void> }> {
  const behaviour = { uploadsAfterDispatch: 'kept' as const, historyLag: 1_000_000 };
  const app = await setUpApp(postgres, { timing, exchange: { behaviour } });
  const { bo, exchange, services } = app;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  exchange.addFault({ operation: 'createdrop', kind: 'reset-after' });
  await sendStaged(bo, 1);
  await bo.sees('⚠️ Probably not sent');
  const jobs =
    "select max(payload ->> 'run') as run, max(key) as key from graphile_worker._private_jobs where key like 'late-check %'";
  const pending = async () => (await services.store.pool.query<{ run: string; key: string }>(jobs)).rows[0];
  const checkHistory = async () => {
    const { run, key = '' } = (await pending()) ?? {};
    await services.queue.retryNow(key);
    await until(async () => (await pending())?.run !== run || undefined, 'the check to end');
  };
  return { ...app, checkHistory };
}
