import { withDataDir } from '../data-dir.ts';
import { growth, type Point, table } from '../figures.ts';
import { runScript } from '../processes.ts';
import type { Bench, Figure, Part } from './part.ts';

/**
 * The first two make the same number of polls a second: the smaller one polls each workspace ten times as often. The
 * last one makes as many as 50,000 workspaces do, of a service that takes 300 ms for an answer.
 */
const runs = [
  { workspaces: 1_000, everyMs: 6_000, intervals: 3, answerMs: 0 },
  { workspaces: 10_000, everyMs: 60_000, intervals: 1, answerMs: 0 },
  { workspaces: 5_000, everyMs: 6_000, intervals: 3, answerMs: 300 },
];
const claimEveryMs = 1_000;

async function run({ port, print, addFigure }: Bench): Promise<void> {
  const rows: string[][] = [];
  const points: Point[] = [];
  for (const { workspaces, everyMs, intervals, answerMs } of runs) {
    const figures = await withDataDir(async (dataDir) =>
      JSON.parse(await runScript('polling', dataDir, port, workspaces, everyMs, intervals, answerMs)),
    );
    const { bareMs, ownMs, postgresMs, transactions, measured, lagP50, lagP99, rssMb } = figures;
    // A workspace that is more than an interval late skips polls. Those of the last claim may end after the measurement.
    const expected = (workspaces * (intervals * everyMs - claimEveryMs)) / everyMs;
    const keepsUp = lagP99 < everyMs && measured > 0.98 * expected;
    const slow = answerMs > 0 ? `, answers after ${answerMs} ms` : '';
    const report = ({ name, ...rest }: Omit<Figure, 'better'>) =>
      addFigure({ name: `${workspaces} workspaces${slow}, ${name}`, ...rest, better: 'lower' });
    report({ name: 'CPU per poll', value: ownMs / bareMs, unit: 'x bare' });
    report({ name: 'CPU of Postgres per poll', value: postgresMs / bareMs, unit: 'x bare' });
    report({ name: 'transactions per poll', value: transactions });
    report({ name: 'lag p50', value: lagP50, unit: 'ms' });
    report({ name: 'lag p99', value: lagP99, unit: 'ms' });
    report({ name: 'peak RSS', value: rssMb, unit: 'MB' });
    if (answerMs === 0) points.push({ size: workspaces, cost: ownMs + postgresMs });
    rows.push([
      `${workspaces}, each every ${everyMs / 1000} s${slow}`,
      `${(measured / ((everyMs * intervals) / 1000)).toFixed(0)}/s`,
      `${bareMs.toFixed(2)} ms`,
      `${ownMs.toFixed(2)} ms (x ${(ownMs / bareMs).toFixed(1)})`,
      `${postgresMs.toFixed(2)} ms`,
      transactions.toFixed(1),
      `${lagP50.toFixed(0)} ms`,
      `${lagP99.toFixed(0)} ms`,
      keepsUp ? 'yes' : 'NO',
      `${rssMb.toFixed(0)} MB`,
    ]);
  }
  const head = ['workspaces', 'polls', 'bare', 'ours', 'Postgres', 'transactions', 'lag p50', 'p99', 'keeps up', 'RSS'];
  print(table('Polled by one process, nothing changed: CPU time per poll, and lag from due to done', head, rows));
  const { cost = 0 } = points.at(-1) ?? {};
  print(`\nUp to ${claimEveryMs} ms of the lag is the interval between claims. 10,000 workspaces a minute take `);
  print(`${((cost * 100) / 6).toFixed(0)} % of a core, with Postgres. `);
  print(`Cost of a poll by number of workspaces: ${growth(points)}.\n`);
}

export const polling: Part = { name: 'polling', description: '1,000 and 10,000 workspaces polled by one process', run };
