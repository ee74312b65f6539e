/**
 * `npm run bench [-- name …]` measures costs, where possible as ratios to a baseline in the same run. Runs
 * all parts one after the other, or only the named ones. `--save <file>` and `--compare <file>` run them three times.
 * The exit code is 1 for wrong options or an unusable file, and 0 if a figure is worse: noise must not fail a build.
 */
import { cp } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compareFigures, comparisonTable } from './compare.ts';
import { acks } from './parts/acks.ts';
import { announcing } from './parts/announcing.ts';
import { contacts } from './parts/contacts.ts';
import { history } from './parts/history.ts';
import { hour } from './parts/hour.ts';
import { inbox } from './parts/inbox.ts';
import { jobs } from './parts/jobs.ts';
import type { Part } from './parts/part.ts';
import { polling } from './parts/polling.ts';
import { polls } from './parts/polls.ts';
import { relays } from './parts/relays.ts';
import { scale } from './parts/scale.ts';
import { start } from './parts/start.ts';
import { transfers } from './parts/transfers.ts';
import { whole } from './parts/whole.ts';
import { startListening } from './processes.ts';
import {
  checkWritable,
  type Figures,
  figuresOf,
  loadRun,
  recordFigure,
  type SavedRun,
  saveRun,
  UsageError,
} from './saved-run.ts';

const parts: readonly Part[] = [
  relays,
  polls,
  polling,
  jobs,
  start,
  whole,
  acks,
  announcing,
  transfers,
  contacts,
  history,
  inbox,
  hour,
  scale,
];

const usage = `Usage: npm run bench -- [name …] [--save <file>] [--compare <file>]

${parts.map(({ name, description }) => `  ${name.padEnd(12)}${description}\n`).join('')}
  --save      runs three times and saves the figures
  --compare   runs three times and shows what changed since a saved run
`;

/** How often the parts run for `--save` and `--compare`. */
const comparedRuns = 3;

interface Options {
  selected: readonly Part[];
  save: string | undefined;
  compare: string | undefined;
}

const print = (text: string) => process.stdout.write(text);

function readOptions(args: string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { save: { type: 'string' }, compare: { type: 'string' } },
      allowPositionals: true,
    });
    return { selected: partsNamed(positionals), save: values.save, compare: values.compare };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function partsNamed(names: readonly string[]): readonly Part[] {
  if (names.length === 0) return parts;
  return [...new Set(names)].map((name) => {
    const part = parts.find((one) => one.name === name);
    if (part === undefined) throw new Error(`Unknown part: ${name}`);
    return part;
  });
}

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) return void print(usage);
  const { selected, save, compare } = readOptions(args);
  const before = compare === undefined ? undefined : await loadRun(compare);
  if (save !== undefined) await checkWritable(save);
  const runs = save === undefined && compare === undefined ? 1 : comparedRuns;
  const figures = await measure(selected, runs);
  if (save !== undefined) {
    await saveRun(save, { runs, figures });
    print(`\nSaved to ${save}.\n`);
  }
  if (before !== undefined) printComparison(before, figures, selected);
}

async function measure(wanted: readonly Part[], runs: number): Promise<Figures> {
  const figures: Figures = {};
  // The bot looks for the manifest next to its compiled sources.
  await cp('manifest', new URL('../../manifest', import.meta.url), { recursive: true });
  const { port, child } = await startListening('servers');
  try {
    // Each run includes all parts, so that the spread of a part includes changes in the machine's load.
    for (let run = 1; run <= runs; run += 1) {
      if (runs > 1) print(`\nRun ${run} of ${runs}\n`);
      for (const part of wanted) {
        const started = performance.now();
        await part.run({ port, print, addFigure: (figure) => recordFigure(figures, part.name, figure) });
        print(`(${part.name}: ${((performance.now() - started) / 1000).toFixed(0)} s)\n`);
      }
    }
  } finally {
    child.kill();
  }
  return figures;
}

function printComparison(before: SavedRun, after: Figures, wanted: readonly Part[]): void {
  const names = wanted.map(({ name }) => name);
  const comparisons = compareFigures(figuresOf(before.figures, names), after);
  const { node, arch, date } = before;
  print(
    comparisonTable(`Medians of ${comparedRuns} runs against those of ${date} (Node ${node}, ${arch})`, comparisons),
  );
  if (node !== process.version || arch !== process.arch) print(`This run: Node ${process.version}, ${process.arch}.\n`);
  print('Worse and better: the median changed by more than the larger of the two spreads (max - min).\n');
  print('Noise marks a few figures in a hundred, more on a busy machine. Run a marked part again to be sure.\n');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
