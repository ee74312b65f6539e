import { growth, table } from '../figures.ts';
import { runScript } from '../processes.ts';
import type { Bench, Part } from './part.ts';

async function run({ port, print, addFigure }: Bench): Promise<void> {
  const rows: string[][] = [];
  const changed: { size: number; cost: number }[] = [];
  for (const entries of [1, 1000, 50_000]) {
    const repeats = entries < 50_000 ? 100 : 8;
    const { bytes, figures } = JSON.parse(await runScript('poll', port, entries, repeats));
    const rss = Number(await runScript('poll-memory', port, entries));
    const [parse, plain] = figures;
    addFigure({ name: `${entries} entries, peak RSS`, value: rss, unit: 'MB', better: 'lower' });
    for (const { name, ms, blockedMs } of figures.slice(1)) {
      if (name === 'changed poll') changed.push({ size: entries, cost: ms });
      rows.push([
        `${entries} entries, ${(bytes / 1000).toFixed(0)} KB: ${name}`,
        `${ms.toFixed(2)} ms`,
        (ms / parse.ms).toFixed(2),
        (ms / plain.ms).toFixed(2),
        `${blockedMs.toFixed(0)} ms`,
        name === 'changed poll' ? `${rss.toFixed(0)} MB` : '',
      ]);
      if (name === plain.name) continue;
      // The plain poll is the baseline, because it makes the same request. JSON.parse makes none, so for a short history
      // the request would dominate the ratio.
      addFigure({ name: `${entries} entries, ${name}`, value: ms / plain.ms, unit: 'x plain', better: 'lower' });
      addFigure({ name: `${entries} entries, ${name}, loop held`, value: blockedMs, unit: 'ms', better: 'lower' });
    }
  }
  const head = ['history', 'time', 'x JSON.parse', 'x plain poll', 'loop held', 'peak RSS'];
  print(
    table(
      'Polls: cost against JSON.parse of the same body, and against request and JSON.parse (below 1 is cheaper)',
      head,
      rows,
    ),
  );
  print(`\nCost of a changed poll by history length: ${growth(changed)}.\n`);
}

export const polls: Part = { name: 'polls', description: 'one poll, by the length of the history', run };
