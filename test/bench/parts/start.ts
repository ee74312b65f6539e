import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBot } from '../../../src/sandbox/bot.ts';
import { freePort } from '../../../src/sandbox/free-port.ts';
import { type Manifest, startSlackServer } from '../../../src/sandbox/slack/index.ts';
import { botVariables, secrets } from '../../../src/sandbox/workspace.ts';
import { withDataDir } from '../data-dir.ts';
import { median } from '../figures.ts';
import type { Bench, Part } from './part.ts';

const laterStarts = 3;

/** Measures from process start to ready, and from SIGTERM to exit. */
async function run({ print, addFigure }: Bench): Promise<void> {
  const manifest = JSON.parse(await readFile('manifest/app.json', 'utf8')) as Manifest;
  const slack = await startSlackServer({ app: { id: 'A0BENCH0000', ...secrets, manifest }, rateLimits: false });
  const starts: number[] = [];
  const stops: number[] = [];
  await withDataDir(async (dataDir) => {
    for (let round = 0; round <= laterStarts; round += 1) {
      const port = await freePort(0);
      const started = performance.now();
      const variables = { ...botVariables(slack, port, dataDir, slack.url), LOG_LEVEL: 'warn' };
      const bot = await startBot({ port, variables, logFile: join(dataDir, '..', 'bot.log') });
      starts.push(performance.now() - started);
      const stopStarted = performance.now();
      await bot.stop();
      stops.push(performance.now() - stopStarted);
    }
  }).finally(slack.close);
  const [first = 0, ...warm] = starts;
  print(`\nThe bot with its embedded Postgres is ready ${first.toFixed(0)} ms after its first start, `);
  print(`${median(warm).toFixed(0)} ms after later ones (median of ${laterStarts}), `);
  print(`and exits ${median(stops).toFixed(0)} ms after SIGTERM.\n`);
  addFigure({ name: 'first start', value: first, unit: 'ms', better: 'lower' });
  addFigure({ name: 'later start', value: median(warm), unit: 'ms', better: 'lower' });
  addFigure({ name: 'stop', value: median(stops), unit: 'ms', better: 'lower' });
}

export const start: Part = { name: 'start', description: 'how long the bot takes until it is ready', run };
