import type pg from 'pg';
import { cpuMsOf } from '../deployment/cpu.ts';
import { type Deployment, type Team, withDeployment } from '../deployment/deployment.ts';
import { until } from '../deployment/until.ts';
import { median, table } from '../figures.ts';
import { postgresCpuMs } from '../postgres-cpu.ts';
import type { Bench, Part } from './part.ts';

const channelCount = 50;
const itemCount = 10_000;
/** As many as one read of an inbox records. */
const itemsPerPoll = 2_000;
const repeats = 40;

interface Cost {
  firstMs: number;
  /** The median time that a person waits. */
  ms: number;
  /** The average CPU time of the process that answers, and of Postgres. */
  cpuMs: number;
  postgresMs: number;
}

/** Records items, and makes them belong to channels: half of them private, with Bo as a member. */
async function addItems(
  { callService }: Deployment,
  pool: pg.Pool,
  { workspace, anna, bo, user }: Team,
): Promise<void> {
  const countItems = async () => {
    const { rows } = await pool.query<{ many: number }>('select count(*)::int as many from dropline.inbox_items');
    return rows[0]?.many ?? 0;
  };
  for (let count = 0; count < itemCount; count += itemsPerPoll) {
    const senders = Array.from({ length: itemsPerPoll }, (_, number) => `sender-${count + number}@example.org`);
    await callService('addItems', { user, senders });
    await until(async () => (await countItems()) >= count + itemsPerPoll, 'the items', { timeoutMs: 120_000 });
  }
  await pool.query('update dropline.polls set paused_at = now()');
  const channels = Array.from({ length: channelCount }, (_, number) =>
    workspace.addChannel({
      name: `c${number}`,
      kind: number % 2 === 0 ? 'private' : 'public',
      members: [anna, bo, 'app'],
    }),
  );
  await pool.query(
    `update dropline.inbox_items set announced_at = now(),
       belongs_to = array[($1::text[])[1 + abs(hashtext(url)) % cardinality($1::text[])]]`,
    [channels.map(({ id }) => id)],
  );
  await pool.query('vacuum analyze dropline.inbox_items');
}

async function measureCost({ bot }: Deployment, pool: pg.Pool, work: () => Promise<void>): Promise<Cost> {
  const timed = async () => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const firstMs = await timed();
  for (let warmUp = 0; warmUp < 10; warmUp += 1) await work();
  const before = [await cpuMsOf(bot.pid), await postgresCpuMs(pool)] as const;
  const waited: number[] = [];
  for (let count = 0; count < repeats; count += 1) waited.push(await timed());
  const after = [await cpuMsOf(bot.pid), await postgresCpuMs(pool)] as const;
  return {
    firstMs,
    ms: median(waited),
    cpuMs: (after[0] - before[0]) / repeats,
    postgresMs: (after[1] - before[1]) / repeats,
  };
}

async function run({ print, addFigure }: Bench): Promise<void> {
  await withDeployment(
    async (deployment) => {
      const { slack, pool } = deployment;
      if (pool === undefined) throw new Error('no database');
      const team = await deployment.addTeam('Acme');
      const { bo } = team;
      await addItems(deployment, pool, team);
      const list = async () => {
        await bo.types('/drop inbox', { in: 'Dropline' });
        await bo.sees(/10,?000 items, newest first/);
        await bo.closes();
      };
      const publishes = () => slack.calls.filter(({ method }) => method === 'views.publish').length;
      const home = async () => {
        const before = publishes();
        await bo.opens('Home of Dropline');
        await until(() => publishes() > before, 'Home', { everyMs: 2 });
        await slack.untilIdle();
        slack.calls.length = 0;
      };
      const rows: string[][] = [];
      for (const [name, work] of Object.entries({ '/drop inbox': list, Home: home })) {
        const { firstMs, ms, cpuMs, postgresMs } = await measureCost(deployment, pool, work);
        const figures = { first: firstMs, later: ms, 'CPU of the bot': cpuMs, 'CPU of Postgres': postgresMs };
        for (const [what, value] of Object.entries(figures))
          addFigure({ name: `${name}, ${what}`, value, unit: 'ms', better: 'lower' });
        rows.push([name, ...Object.values(figures).map((value) => `${value.toFixed(1)} ms`)]);
      }
      const head = ['', 'first time', 'later', 'CPU of the bot', 'CPU of Postgres'];
      print(table(`${itemCount} inbox items in ${channelCount} channels, median of ${repeats}`, head, rows));
    },
    { workers: 1 },
  );
}

export const inbox: Part = { name: 'inbox', description: '/drop inbox and Home with 10,000 items in 50 channels', run };
