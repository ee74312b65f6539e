import { cpuMsOf } from '../deployment/cpu.ts';
import { type Deployment, withDeployment } from '../deployment/deployment.ts';
import { rssMbOf, watchRss } from '../deployment/memory.ts';
import { growth, median, type Point, table } from '../figures.ts';
import type { Bench, Part } from './part.ts';

const sizes = [1_000, 50_000];
const repeats = 5;
/** The allowed growth of memory while a page is read, whatever the length of the history. */
const maxBufferedMb = 100;

interface Measurement {
  ms: number;
  cpuMs: number;
  rss: { before: number; peak: number; after: number };
}

/** Measures how an admin repeatedly opens the first page of a history of this length. */
async function measurePages(deployment: Deployment, size: number): Promise<Measurement> {
  const { bot } = deployment;
  const { anna, user } = await deployment.addTeam(`History${size}`);
  await deployment.callService('replaceTransfers', { user, count: size });
  const open = async () => {
    const started = performance.now();
    await anna.types('/drop history');
    await anna.sees(`of ${size}`);
    await anna.closes();
    return performance.now() - started;
  };
  await open();
  const [cpuBefore, before] = [await cpuMsOf(bot.pid), await rssMbOf(bot.pid)];
  const watch = watchRss(bot.pid);
  const times: number[] = [];
  for (let count = 0; count < repeats; count += 1) times.push(await open());
  const peak = await watch.stop();
  const cpuMs = ((await cpuMsOf(bot.pid)) - cpuBefore) / repeats;
  return { ms: median(times), cpuMs, rss: { before, peak, after: await rssMbOf(bot.pid) } };
}

async function run({ print, addFigure }: Bench): Promise<void> {
  await withDeployment(async (deployment) => {
    const rows: string[][] = [];
    const points: Point[] = [];
    let grownMb = 0;
    for (const size of sizes) {
      const { ms, cpuMs, rss } = await measurePages(deployment, size);
      points.push({ size, cost: cpuMs });
      grownMb = rss.peak - rss.before;
      addFigure({ name: `${size} entries, CPU`, value: cpuMs, unit: 'ms', better: 'lower' });
      addFigure({ name: `${size} entries, peak RSS`, value: rss.peak, unit: 'MB', better: 'lower' });
      const memory = [rss.before, rss.peak, rss.after].map((mb) => `${mb.toFixed(0)} MB`);
      rows.push([String(size), `${ms.toFixed(0)} ms`, `${cpuMs.toFixed(0)} ms`, ...memory]);
    }
    const head = ['entries', 'time', 'CPU', 'RSS before', 'peak', 'after'];
    print(table(`History: one page, and memory of the bot during ${repeats} of them`, head, rows));
    print(`\nCPU time of a page by length of the history: ${growth(points)}. Memory of the longest one: `);
    print(`growth ${grownMb <= maxBufferedMb ? 'within' : 'ABOVE'} ${maxBufferedMb} MB.\n`);
  });
}

export const history: Part = { name: 'history', description: 'a page of the history, by its length: memory', run };
