import { type Deployment, withDeployment } from '../deployment/deployment.ts';
import { rssMbOf, watchRss } from '../deployment/memory.ts';
import { growth, type Point, table } from '../figures.ts';
import { isInstalled } from '../processes.ts';
import type { Bench, Part } from './part.ts';
import { createPipes, type Pipes } from './whole-pipes.ts';
import { createTransfers, type FileTransfer, type FileTransfers } from './whole-transfers.ts';

const mib = 1024 * 1024;
/** File sizes in MiB. */
const sizes = [1, 64, 1024];
/** The allowed growth of memory during a transfer, whatever the file's size. */
const maxBufferedMb = 100;

interface Measurement {
  direction: 'send' | 'download';
  size: number;
  ms: number;
  pipeMs: number | undefined;
  rss: { before: number; peak: number; after: number };
}

async function measureTransfer(
  deployment: Deployment,
  transfer: FileTransfer,
): Promise<Pick<Measurement, 'ms' | 'rss'>> {
  const before = await rssMbOf(deployment.bot.pid);
  const watch = watchRss(deployment.bot.pid);
  const started = performance.now();
  await transfer.run();
  const ms = performance.now() - started;
  const peak = await watch.stop();
  await transfer.check();
  return { ms, rss: { before, peak, after: await rssMbOf(deployment.bot.pid) } };
}

async function measureAll(
  deployment: Deployment,
  transfers: FileTransfers,
  pipes: Pipes | undefined,
): Promise<Measurement[]> {
  const done: Measurement[] = [];
  // Warm-up: one-time loading and allocation don't count.
  await measureTransfer(deployment, await transfers.send(mib));
  await measureTransfer(deployment, await transfers.download());
  for (const size of sizes) {
    const sent = await measureTransfer(deployment, await transfers.send(size * mib));
    done.push({ direction: 'send', size, ...sent, pipeMs: await pipes?.up(transfers.lastSharedUrl()) });
    const downloaded = await measureTransfer(deployment, await transfers.download());
    done.push({ direction: 'download', size, ...downloaded, pipeMs: await pipes?.down(size * mib) });
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
    rss.peak - rss.before < maxBufferedMb ? 'yes' : 'NO',
  ];
}

async function run({ print, addFigure }: Bench): Promise<void> {
  await withDeployment(async (deployment) => {
    const team = await deployment.addTeam('Acme');
    const pipes = (await isInstalled('curl')) ? await createPipes(deployment, team) : undefined;
    const all = await measureAll(deployment, createTransfers(deployment, team), pipes);
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
        addFigure({ name: `${name}, speed`, value: pipeMs / ms, unit: 'x curl', better: 'higher' });
      addFigure({ name: `${name}, peak RSS`, value: rss.peak, unit: 'MB', better: 'lower' });
    }
    for (const direction of ['send', 'download'] as const) {
      const points: Point[] = all
        .filter((one) => one.direction === direction)
        .map(({ size, ms }) => ({ size, cost: ms }));
      print(`\nTime of a ${direction} by size in MiB: ${growth(points)}.`);
    }
    print(`\nFlat: the peak is less than ${maxBufferedMb} MB above the value before.\n`);
  });
}

export const whole: Part = {
  name: 'whole',
  description: '1 GiB from Slack to the service and back, through the bot',
  run,
};
