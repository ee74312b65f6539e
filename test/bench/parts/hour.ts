import { setTimeout as sleep } from 'node:timers/promises';
import { type Deployment, type Team, withDeployment } from '../deployment/deployment.ts';
import { rssMbOf } from '../deployment/memory.ts';
import { until } from '../deployment/until.ts';
import { median } from '../figures.ts';
import type { Bench, Part } from './part.ts';
import { sendsFile } from './transfers.ts';

/** Enough rounds for the heap to reach its working size, because the garbage collector runs as late as possible. */
const warmRounds = 200;
const rounds = 200;
const tenth = rounds / 10;
/** Several workspaces, so that the run has an hour's worth of polls: each is polled every five seconds. */
const workspaces = 5;
/** The allowed growth of memory since the first tenth. */
const maxGrowth = 0.2;

/** What a workspace does in a minute: a few commands, a transfer, an arrival and a download. */
async function runMinute({ callService, slack }: Deployment, team: Team, round: number): Promise<void> {
  const { bo, user, workspace } = team;
  await callService('addItems', { user, senders: [`sender-${round}@example.org`] });
  for (const [command, answer] of [
    ['contacts', '10 contacts'],
    ['status', 'Service is online'],
    ['history', 'History'],
  ] as const) {
    await bo.types(`/drop ${command}`, { in: '#inbox' });
    await bo.sees(answer);
    await bo.closes();
  }
  await sendsFile(team, `file-${round}.txt`);
  const files = workspace.files.length;
  await bo.opens('#inbox');
  await bo.clicks('Download from-first@example.org.txt');
  await until(() => workspace.files.length > files, 'the download');
  await slack.untilIdle();
}

/** Waits first, so that the memory of the last round is released. */
async function idleRssMb(pid: number): Promise<number> {
  const samples: number[] = [];
  await sleep(1_000);
  for (let count = 0; count < 10; count += 1) {
    samples.push(await rssMbOf(pid));
    await sleep(100);
  }
  return median(samples);
}

async function run({ print, addFigure }: Bench): Promise<void> {
  await withDeployment(async (deployment) => {
    const teams: Team[] = [];
    for (let number = 0; number < workspaces; number += 1) teams.push(await deployment.addTeam(`Team${number}`));
    for (const { bo, user } of teams) {
      await bo.opens('#inbox');
      await bo.sees('New files will be posted here.');
      await deployment.callService('addItems', { user, senders: ['first@example.org'] });
    }
    for (const { bo } of teams) await bo.sees('from-first@example.org.txt');
    const atStart = await idleRssMb(deployment.bot.pid);
    const work = async (from: number, to: number) => {
      for (let round = from; round < to; round += 1) {
        const team = teams[round % teams.length];
        if (team !== undefined) await runMinute(deployment, team, round);
      }
    };
    await work(0, warmRounds);
    const polledBefore = await deployment.callService('pollCount');
    const started = performance.now();
    await work(warmRounds, warmRounds + tenth);
    const early = await idleRssMb(deployment.bot.pid);
    await work(warmRounds + tenth, warmRounds + rounds);
    const late = await idleRssMb(deployment.bot.pid);
    const seconds = (performance.now() - started) / 1000;
    const polls = (await deployment.callService('pollCount')) - polledBefore;
    print(
      `\nAn hour in ${seconds.toFixed(0)} s: ${rounds} rounds of 3 commands, a transfer, an arrival and a download, `,
    );
    print(`and ${polls} polls. Memory of the bot: ${atStart.toFixed(0)} MB after the start, `);
    const ratio = late / early;
    print(`${early.toFixed(0)} MB after ${warmRounds} warm-up rounds and a tenth of the hour, `);
    print(`${late.toFixed(0)} MB at the end (x ${ratio.toFixed(2)}): `);
    print(`growth ${ratio <= 1 + maxGrowth ? 'within' : 'ABOVE'} ${maxGrowth * 100} %.\n`);
    addFigure({ name: 'RSS after the start', value: atStart, unit: 'MB', better: 'lower' });
    addFigure({ name: 'RSS at the end', value: late, unit: 'MB', better: 'lower' });
    addFigure({ name: 'growth of RSS', value: ratio, unit: 'x the first tenth', better: 'lower' });
  });
}

export const hour: Part = { name: 'hour', description: "memory after an hour's worth of work", run };
