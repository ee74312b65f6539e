import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from '../deployment/cpu.ts';
import { type Deployment, type Team, withDeployment } from '../deployment/deployment.ts';
import { until } from '../deployment/until.ts';
import { table } from '../figures.ts';
import { postgresCpuMs } from '../postgres-cpu.ts';
import { sendersIn } from './announcing.ts';
import type { Bench, Part } from './part.ts';
import { sendAll } from './transfers.ts';

const teamCount = 8;
const transfersEach = 10;
/** With more new items than this in a channel, the bot would post one summary instead. */
const itemsEach = 10;
/** The bots of a deployment poll each workspace every 5 seconds. */
const pollMs = 5_000;
const pollIntervals = 6;

/** How many polls the service received, compared with one per workspace and interval. */
async function measurePolls({ callService }: Deployment): Promise<number> {
  const before = await callService('pollCount');
  await sleep(pollIntervals * pollMs);
  return ((await callService('pollCount')) - before) / (teamCount * pollIntervals);
}

async function measureTransfers(deployment: Deployment, teams: readonly Team[]): Promise<number> {
  const started = performance.now();
  await Promise.all(teams.map((team) => sendAll(deployment, team, transfersEach)));
  return (teams.length * transfersEach) / ((performance.now() - started) / 60_000);
}

/** How long all announcements take, and how many were posted twice. */
async function measureAnnouncing({ slack, callService }: Deployment, teams: readonly Team[]) {
  slack.behaviour.rateLimits = true;
  const senders = Array.from({ length: itemsEach }, (_, number) => `sender-${number}@example.org`);
  const started = performance.now();
  for (const { user } of teams) await callService('addItems', { user, senders });
  const posted = () => teams.flatMap((team) => sendersIn(team).map((sender) => `${team.user} ${sender}`));
  await until(() => new Set(posted()).size >= teams.length * itemsEach, 'everything to be announced');
  const seconds = (performance.now() - started) / 1000;
  await sleep(2 * pollMs); // time for a second post
  return { seconds, twice: posted().length - new Set(posted()).size };
}

async function measure(workers: number) {
  return withDeployment(
    async (deployment) => {
      const { pool } = deployment;
      if (pool === undefined) throw new Error('expected a database');
      const teams: Team[] = [];
      for (let number = 1; number <= teamCount; number += 1) teams.push(await deployment.addTeam(`Team${number}`));
      const polls = await measurePolls(deployment);
      const before = await cpuOf(deployment);
      const transfers = await measureTransfers(deployment, teams);
      const after = await cpuOf(deployment);
      const cpuMs = after.map((ms, index) => (ms - (before[index] ?? 0)) / (teamCount * transfersEach));
      const { seconds, twice } = await measureAnnouncing(deployment, teams);
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      return { polls, transfers, cpuMs, seconds, twice, connections: rows[0]?.count ?? 0 };
    },
    { workers },
  );
}

/** CPU time so far: of the web process, of all workers and of Postgres. */
async function cpuOf({ bot, workers, pool }: Deployment): Promise<number[]> {
  const ofWorkers = await Promise.all(workers.map(({ pid }) => cpuMsOf(pid)));
  return [
    await cpuMsOf(bot.pid),
    ofWorkers.reduce((sum, ms) => sum + ms, 0),
    pool === undefined ? Number.NaN : await postgresCpuMs(pool),
  ];
}

async function run({ print, addFigure }: Bench): Promise<void> {
  const rows: string[][] = [];
  for (const workers of [1, 2]) {
    const { polls, transfers, cpuMs, seconds, twice, connections } = await measure(workers);
    rows.push([
      String(workers),
      polls.toFixed(2),
      `${transfers.toFixed(0)}/min`,
      cpuMs.map((ms) => ms.toFixed(0)).join(' + '),
      `${seconds.toFixed(1)} s`,
      String(twice),
      String(connections),
    ]);
    const name = (text: string) => `${workers} ${workers === 1 ? 'worker' : 'workers'}, ${text}`;
    addFigure({ name: name('polls per workspace and interval'), value: polls, better: 'lower' });
    addFigure({ name: name('transfers'), value: transfers, unit: '/min', better: 'higher' });
    addFigure({ name: name('announcing'), value: seconds, unit: 's', better: 'lower' });
    addFigure({ name: name('posted twice'), value: twice, better: 'lower' });
    addFigure({ name: name('database connections'), value: connections, better: 'lower' });
  }
  const head = ['workers', 'polls', 'transfers', 'CPU ms per transfer', 'announced in', 'posted twice', 'connections'];
  print(table(`One web process, ${teamCount} workspaces, one Postgres; every transfer sent exactly once`, head, rows));
  print('\nPolls: per workspace and interval. CPU: web + workers + Postgres. ');
  print(`Announced: ${itemsEach} items per workspace, at Slack's rate limit.\n`);
}

export const scale: Part = {
  name: 'scale',
  description: 'one and two workers with a web process on one Postgres',
  run,
};
