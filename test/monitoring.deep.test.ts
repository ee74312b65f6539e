import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { updateSettings } from '../src/features/settings/repository.ts';
import { freePort } from '../src/sandbox/free-port.ts';
import { inTransaction } from '../src/store/index.ts';
import { type AppSetup, setUpApp } from './helpers/app.ts';
import { killHard, startBot } from './helpers/bot-process.ts';
import { alertNames, dashboardQueries, startPrometheus } from './helpers/monitoring.ts';
import { startTestPostgres } from './helpers/postgres.ts';
import { usePrograms } from './helpers/program.ts';
import { isInstalled } from './helpers/proxies.ts';
import { confirms, reviews } from './helpers/send-steps.ts';
import { describeIf } from './helpers/skips.ts';
import { startTestScanner } from './scan/helper.ts';

const postgres = startTestPostgres();
const programs = usePrograms();
const scanner = startTestScanner();

/** A bot in its own process, which Prometheus watches. */
async function setUpWatchedBot() {
  const app = await setUpApp(postgres, { hasExternalBot: true, isSeparate: true });
  const { env, slack, services, acme } = app;
  await updateSettings(services, { workspace: acme.id }, (settings) => ({
    ...settings,
    undoSeconds: 0,
    unscanned: 'note',
  }));
  const port = String(await freePort(0));
  const start = async (role: string) => {
    const more = { METRICS_PORT: port, POLL_SECONDS: '5', CLAMD_HOST: `127.0.0.1:${scanner.server.port}` };
    const bot = await startBot(programs, role, { ...env, ...more });
    slack.deliverTo(bot.url);
    return bot;
  };
  const bot = await start('all');
  return { ...app, bot, start, prometheus: await startPrometheus(`127.0.0.1:${port}`) };
}

/** Repeats the work every half second, until the returned function is called or the test ends. */
function repeat(work: () => unknown): () => void {
  const timer = setInterval(() => void Promise.resolve(work()).catch(() => {}), 500);
  const stop = () => clearInterval(timer);
  onTestFinished(stop);
  return stop;
}

/** Adds a job that is due since then and has failed as often as given. */
async function addJob({ services: { store } }: AppSetup, { dueAt = new Date(), attempts = 0 }): Promise<void> {
  await inTransaction(store.pool, async (client) => {
    const payload = JSON.stringify({ run: randomUUID(), ids: {} });
    const { rows } = await client.query(
      `select id from graphile_worker.add_job('sweep', $1::json, max_attempts => 1003, run_at => $2)`,
      [payload, dueAt],
    );
    await client.query('update graphile_worker._private_jobs set attempts = $2 where id = $1', [rows[0]?.id, attempts]);
  });
}

/** Locks every table until the returned function is called. */
async function lockTables({ services: { store } }: AppSetup): Promise<() => Promise<void>> {
  const client = await store.pool.connect();
  const { rows } = await client.query(
    `select format('dropline.%I', tablename) as name from pg_tables where schemaname = 'dropline'`,
  );
  await client.query('begin');
  await client.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

describeIf(isInstalled('prometheus', '--version'), 'Prometheus not found', 'with Prometheus', () => {
  test('the dashboard has data, and each alert fires when its fault is caused', async () => {
    const app = await setUpWatchedBot();
    const { bot, start, prometheus, anna, bo, exchange, slack, acme, services, database } = app;
    const { pool } = services.store;
    const fired = new Set<string>();
    const firesAfter = async (alerts: readonly string[], cause: () => unknown) => {
      const firing = async () => (await prometheus.firing()).filter((name) => alerts.includes(name));
      // A fault before can have fired them too.
      await expect.poll(firing).toEqual([]);
      await cause();
      await expect.poll(firing, { timeout: 90_000 }).toEqual(alerts);
      for (const name of alerts) fired.add(name);
    };

    await reviews(bo, { attached: [{ name: 'plan.txt', data: 'the plan' }] });
    await confirms(bo, 1);
    await bo.sees('✅ Sent');
    await anna.types('/drop status', { in: '#general' });
    await anna.closes();
    for (const query of dashboardQueries('30s'))
      if (!query.includes('slack_connections'))
        await expect.poll(() => prometheus.countSeries(query), { message: query }).toBeGreaterThan(0);
    expect(await prometheus.firing()).toEqual([]);

    await firesAfter(['DroplineScansFail'], async () => {
      scanner.server.behaviour.mode = 'closes';
      await reviews(bo, { attached: ['1', '2', '3', '4'].map((data) => ({ name: `${data}.txt`, data })) });
      await confirms(bo, 4);
    });

    const failing = ['DroplineJobsGivenUp', 'DroplinePollsLate', 'DroplineServiceFails', 'DroplineSlackFails'];
    const repeated: (() => void)[] = [];
    await firesAfter(failing, async () => {
      // As if each had crashed its worker many times: the next worker gives it up.
      for (let count = 0; count < 3; count += 1) await addJob(app, { attempts: 50 });
      exchange.addFault({ operation: 'get_history', kind: 'reset-before', times: 10_000 });
      slack.addFault({ method: 'views.open', kind: 'server-error', times: 10_000 });
      repeated.push(
        repeat(() => pool.query(`update dropline.polls set next_at = now() - interval '1 hour'`)),
        repeat(() => anna.types('/drop contacts', { in: '#general' })),
      );
    });
    for (const stop of repeated.splice(0)) stop();

    const people = Array.from({ length: 8 }, (_, number) => acme.addPerson({ name: `Person ${number}` }));
    const unlock = await lockTables(app);
    await firesAfter(['DroplineDatabaseBusy', 'DroplineSlackWaits'], () =>
      repeated.push(repeat(() => Promise.all(people.map((person) => person.types('/drop help', { in: 'Dropline' }))))),
    );
    for (const stop of repeated.splice(0)) stop();
    await unlock();

    await firesAfter(['DroplineNotReady'], database.disconnect);
    await database.reconnect();
    await firesAfter(['DroplineDown'], () => killHard(bot));
    // Without a worker.
    await start('web');
    await firesAfter(['DroplineJobsWait'], () => addJob(app, { dueAt: new Date(Date.now() - 600_000) }));
    expect(fired).toEqual(new Set(alertNames));
  }, 600_000);
});
