import { growth, table } from '../figures.ts';
import { runScript } from '../processes.ts';
import type { Bench, Part } from './part.ts';

async function run({ port, print, figure }: Bench): Promise<void> {
  const rows: string[][] = [];
  const changed: { size: number; cost: number }[] = [];
  for (const entries of [1, 1000, 50_000]) {
    const repeats = entries < 50_000 ? 100 : 8;
    const { bytes, figures } = JSON.parse(await runScript('poll', port, entries, repeats));
    const rss = Number(await runScript('poll-memory', port, entries));
    const [parse, plain] = figures;
    figure({ name: `${entries} entries, peak RSS`, value: rss, unit: 'MB', better: 'lower' });
    for (const { name, ms, heldMs } of figures.slice(1)) {
      if (name === 'changed poll') changed.push({ size: entries, cost: ms });
      rows.push([
        `${entries} entries, ${(bytes / 1000).toFixed(0)} KB: ${name}`,
        `${ms.toFixed(2)} ms`,
        (ms / parse.ms).toFixed(2),
        (ms / plain.ms).toFixed(2),
        `${heldMs.toFixed(0)} ms`,
        name === 'changed poll' ? `${rss.toFixed(0)} MB` : '',
      ]);
      if (name === plain.name) continue;
      // Compared with the plain poll, which also makes the request. That would hide everything next to JSON.parse of a
      // short history.
      figure({ name: `${entries} entries, ${name}`, value: ms / plain.ms, unit: 'x plain', better: 'lower' });
      figure({ name: `${entries} entries, ${name}, loop held`, value: heldMs, unit: 'ms', better: 'lower' });
    }
  }
  const head = ['history', 'time', 'x JSON.parse', 'x plain poll', 'loop held', 'peak RSS'];
  print(
    table(
      'Polls: cost against JSON.parse of the same body, and against asking and parsing it (below 1 is cheaper)',
      head,
      rows,
    ),
  );
  print(`\nA changed poll grows with the history: ${growth(changed)}.\n`);
}

export const polls: Part = { name: 'polls', shows: 'one poll, by the length of the history', run };
