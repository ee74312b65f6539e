import { growth, type Point, table } from '../figures.ts';
import { has } from '../processes.ts';
import { rssMbOf, watchRss } from '../stage/memory.ts';
import { type Stage, withStage } from '../stage/stage.ts';
import type { Bench, Part } from './part.ts';
import { createPipes, type Pipes } from './whole-pipes.ts';
import { createTransfers, type FileTransfer, type FileTransfers } from './whole-travels.ts';

const mib = 1024 * 1024;
const sizes = [1, 64, 1024];
/** The most that can be buffered of a file in transit, whatever its size. */
const mostMb = 100;

interface Measurement {
  direction: 'send' | 'download';
  size: number;
  ms: number;
  pipeMs: number | undefined;
  rss: { before: number; peak: number; after: number };
}

async function measured(stage: Stage, transfer: FileTransfer): Promise<Pick<Measurement, 'ms' | 'rss'>> {
  const before = await rssMbOf(stage.bot.pid);
  const watch = watchRss(stage.bot.pid);
  const started = performance.now();
  await transfer.go();
  const ms = performance.now() - started;
  const peak = await watch.stop();
  await transfer.check();
  return { ms, rss: { before, peak, after: await rssMbOf(stage.bot.pid) } };
}

async function measureAll(stage: Stage, transfers: FileTransfers, pipes: Pipes | undefined): Promise<Measurement[]> {
  const done: Measurement[] = [];
  // Warm-up: one-time loading and allocation don't count.
  await measured(stage, await transfers.send(mib));
  await measured(stage, await transfers.download());
  for (const size of sizes) {
    const sent = await measured(stage, await transfers.send(size * mib));
    done.push({ direction: 'send', size, ...sent, pipeMs: await pipes?.up(transfers.lastShared()) });
    const fetched = await measured(stage, await transfers.download());
    done.push({ direction: 'download', size, ...fetched, pipeMs: await pipes?.down(size * mib) });
  }
  return done;
}

function rowOf({ direction, size, ms, pipeMs, rss }: Measurement): string[] {
  return [
    `${direction}, ${size} MiB`,
    `${(ms / 1000).toFixed(2)} s`,
    `${(size / (ms / 1000)).toFixed(0)} MiB/s`,
    pipeMs === undefined ? '-' : (pipeMs / ms).toFixed(2),
    ...[rss.before, rss.peak, rss.after].map((mb) => `${mb.toFixed(0)} MB`),
    rss.peak - rss.before < mostMb ? 'yes' : 'NO',
  ];
}

async function run({ print, figure }: Bench): Promise<void> {
  await withStage(async (stage) => {
    const team = await stage.addTeam('Acme');
    const pipes = (await has('curl')) ? await createPipes(stage, team) : undefined;
    const all = await measureAll(stage, createTransfers(stage, team), pipes);
    const head = ['file', 'time', 'rate', 'x curl | curl', 'RSS before', 'peak', 'after', 'flat'];
    print(
      table(
        'The whole bot, from the confirming click to the visible result, compared with curl | curl',
        head,
        all.map(rowOf),
      ),
    );
    for (const { direction, size, ms, pipeMs, rss } of all) {
      const name = `${direction}, ${size} MiB`;
      if (pipeMs !== undefined)
        figure({ name: `${name}, speed`, value: pipeMs / ms, unit: 'x curl', better: 'higher' });
      figure({ name: `${name}, peak RSS`, value: rss.peak, unit: 'MB', better: 'lower' });
    }
    for (const direction of ['send', 'download'] as const) {
      const points: Point[] = all
        .filter((one) => one.direction === direction)
        .map(({ size, ms }) => ({ size, cost: ms }));
      print(`\nThe time of a ${direction} grows with the size, in MiB: ${growth(points)}.`);
    }
    print(`\nFlat: less than ${mostMb} MB more at the peak than before.\n`);
  });
}

export const whole: Part = { name: 'whole', shows: '1 GiB from Slack to the service and back, through the bot', run };
