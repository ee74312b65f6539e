import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../figures.ts';
import { rssMbOf } from '../stage/memory.ts';
import { type Stage, type Team, withStage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';
import type { Bench, Part } from './part.ts';
import { sendsFile } from './transfers.ts';

/** Enough rounds for the heap to reach its working size: the garbage collector waits until it has to run. */
const warmRounds = 200;
const rounds = 200;
const tenth = rounds / 10;
/** Several workspaces, so that the run has an hour's worth of polls: each is polled every five seconds. */
const workspaces = 5;
/** The allowed growth of memory since the first tenth. */
const mostGrowth = 0.2;

/** What a workspace does in a minute: a few commands, a transfer, an arrival and a download. */
async function minute({ ask, slack }: Stage, team: Team, round: number): Promise<void> {
  const { bo, user, workspace } = team;
  await ask('arrive', { user, senders: [`sender-${round}@example.org`] });
  for (const [command, answer] of [
    ['contacts', '10 contacts of your own'],
    ['status', 'The service answers'],
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
  await slack.settled();
}

/** Measured at rest, so that memory of the last round is released first. */
async function rssAtRest(pid: number): Promise<number> {
  const samples: number[] = [];
  await sleep(1_000);
  for (let count = 0; count < 10; count += 1) {
    samples.push(await rssMbOf(pid));
    await sleep(100);
  }
  return median(samples);
}

async function run({ print, figure }: Bench): Promise<void> {
  await withStage(async (stage) => {
    const teams: Team[] = [];
    for (let number = 0; number < workspaces; number += 1) teams.push(await stage.addTeam(`Team${number}`));
    for (const { bo, user } of teams) {
      await bo.opens('#inbox');
      await bo.sees('Incoming files are announced here from now on.');
      await stage.ask('arrive', { user, senders: ['first@example.org'] });
    }
    for (const { bo } of teams) await bo.sees('from-first@example.org.txt');
    const atStart = await rssAtRest(stage.bot.pid);
    const work = async (from: number, to: number) => {
      for (let round = from; round < to; round += 1) {
        const team = teams[round % teams.length];
        if (team !== undefined) await minute(stage, team, round);
      }
    };
    await work(0, warmRounds);
    const polledBefore = await stage.ask('polled');
    const started = performance.now();
    await work(warmRounds, warmRounds + tenth);
    const early = await rssAtRest(stage.bot.pid);
    await work(warmRounds + tenth, warmRounds + rounds);
    const late = await rssAtRest(stage.bot.pid);
    const seconds = (performance.now() - started) / 1000;
    const polls = (await stage.ask('polled')) - polledBefore;
    print(
      `\nAn hour in ${seconds.toFixed(0)} s: ${rounds} rounds of three commands, a dispatch, an arrival and a download, `,
    );
    print(`and ${polls} readings of the history. Memory of the bot: ${atStart.toFixed(0)} MB when it has started, `);
    print(
      `after ${warmRounds} rounds to warm up and the first tenth of the hour ${early.toFixed(0)} MB, ${late.toFixed(0)} MB at the end (x ${(late / early).toFixed(2)}): `,
    );
    print(`${late / early <= 1 + mostGrowth ? 'within' : 'MORE THAN'} ${mostGrowth * 100} % above.\n`);
    figure({ name: 'RSS after the start', value: atStart, unit: 'MB', better: 'lower' });
    figure({ name: 'RSS at the end', value: late, unit: 'MB', better: 'lower' });
    figure({ name: 'growth of RSS', value: late / early, unit: 'x the first tenth', better: 'lower' });
  });
}

export const hour: Part = { name: 'hour', shows: "memory after an hour's worth of work", run };
