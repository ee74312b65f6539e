import { withDataDir } from '../data-dir.ts';
import { table } from '../figures.ts';
import { runScript } from '../processes.ts';
import type { Bench, Part } from './part.ts';

async function run({ print, addFigure }: Bench): Promise<void> {
  await withDataDir(async (dataDir) => {
    const { firstStartMs, warmStartMs, bare, ours } = JSON.parse(await runScript('jobs', dataDir, 2000, 3));
    const rows = [
      ['bare graphile-worker', `${bare.toFixed(0)}/s`, '1.00'],
      ['ours', `${ours.toFixed(0)}/s`, (ours / bare).toFixed(2)],
    ];
    print(table('Trivial jobs, ten at a time in one process, medians of 3', ['engine', 'jobs', 'x bare'], rows));
    print(`\nEmbedded Postgres: first start ${firstStartMs.toFixed(0)} ms, later ${warmStartMs.toFixed(0)} ms\n`);
    addFigure({ name: 'rate', value: ours / bare, unit: 'x bare', better: 'higher' });
    addFigure({ name: 'first start of Postgres', value: firstStartMs, unit: 'ms', better: 'lower' });
    addFigure({ name: 'later start of Postgres', value: warmStartMs, unit: 'ms', better: 'lower' });
  });
}

export const jobs: Part = { name: 'jobs', description: 'trivial jobs against the bare engine', run };
