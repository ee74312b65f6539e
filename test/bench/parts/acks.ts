import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../../src/sandbox/slack/index.ts';
import { secrets } from '../../../src/sandbox/workspace.ts';
import { median, percentile, table } from '../figures.ts';
import { startListening } from '../processes.ts';
import { startBalancer } from '../stage/balancer.ts';
import { processorMsOf } from '../stage/processor.ts';
import { type Stage, type Team, withStage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';
import { sendCommands } from './acks-load.ts';
import type { Bench, Part } from './part.ts';

const rounds = 3;
/** Enough that no workspace reaches its limit of unfinished commands. */
const workspaces = 40;
const load = { clients: 16, forMs: 2_000 };

interface Side {
  name: string;
  origin: string;
  pid: number;
  rates: number[];
  times: number[];
  cpuMs: number[];
}

/** Waits for the work behind acknowledged commands, so that it does not affect the next measurement. */
async function idle(pid: number): Promise<void> {
  let before = await processorMsOf(pid);
  await until(
    async () => {
      const now = await processorMsOf(pid);
      const isIdle = !(now - before > 20);
      before = now;
      return isIdle;
    },
    'the bot to have done its work',
    { everyMs: 250 },
  );
}

/** Bolt and the bot take turns, so that noise affects both equally. */
async function compare({ port, print, figure }: Bench, { bot, botUrl }: Stage, teams: readonly Team[]): Promise<void> {
  const bolt = await startListening('bolt', secrets.signingSecret);
  const none = { rates: [], times: [], cpuMs: [] };
  const sides: [Side, Side] = [
    { name: 'bare Bolt', origin: `http://127.0.0.1:${bolt.port}`, pid: bolt.child.pid ?? 0, ...structuredClone(none) },
    { name: 'the bot', origin: botUrl, pid: bot.pid, ...structuredClone(none) },
  ];
  const commanders = teams.map(({ workspace, bo }) => ({
    signingSecret: secrets.signingSecret,
    workspace: workspace.id,
    person: bo.id,
    channel: workspace.channel('general').id,
    responseUrl: `http://127.0.0.1:${port}/sink`,
  }));
  try {
    for (let round = -1; round < rounds; round += 1) {
      for (const side of sides) {
        const before = await processorMsOf(side.pid);
        const started = performance.now();
        const times = await sendCommands(side.origin, commanders, load);
        const seconds = (performance.now() - started) / 1000;
        await idle(side.pid);
        if (round < 0) continue; // warm-up
        side.rates.push(times.length / seconds);
        side.times.push(...times);
        side.cpuMs.push(((await processorMsOf(side.pid)) - before) / times.length);
      }
    }
  } finally {
    bolt.child.kill();
  }
  const [bare, ours] = sides;
  const rows = sides.map(({ name, rates, times, cpuMs }) => [
    name,
    `${median(rates).toFixed(0)}/s`,
    (median(rates) / median(bare.rates)).toFixed(2),
    ...[0.5, 0.99].map((share) => `${percentile(times, share).toFixed(1)} ms`),
    `${median(cpuMs).toFixed(2)} ms`,
  ]);
  const head = ['/drop help', 'acknowledged', 'x bare', 'p50', 'p99', 'processor each'];
  print(table(`Commands of ${load.clients} clients with kept connections, medians of ${rounds}`, head, rows));
  print('\nBare Bolt acknowledges and is done; the bot then notes the command, does it and answers.\n');
  figure({ name: 'rate', value: median(ours.rates) / median(bare.rates), unit: 'x bare', better: 'higher' });
  figure({ name: 'CPU', value: median(ours.cpuMs) / median(bare.cpuMs), unit: 'x bare', better: 'lower' });
  figure({ name: 'p50', value: percentile(ours.times, 0.5), unit: 'ms', better: 'lower' });
  figure({ name: 'p99', value: percentile(ours.times, 0.99), unit: 'ms', better: 'lower' });
}

const perSecond = 100;
const seconds = 8;
const asks = ['contacts', 'inbox', 'history', 'status'];

interface Typed {
  /** Times until each command was acknowledged or given up. */
  times: number[];
  unheard: number;
  /** The event loop delay of this process (p99), which also runs the simulated Slack. */
  ownDelayMs: number;
}

/** Each person types a command every second, whether the last was answered or not. */
async function typeSteadily({ slack }: Stage, teams: readonly Team[]): Promise<Typed> {
  const people = Array.from({ length: perSecond }, (_, number) => {
    const { workspace } = teams[number % teams.length] as Team;
    const person = workspace.addPerson({ name: `Person ${number}` });
    workspace.channel('general').add(person);
    return person;
  });
  for (const person of people) await person.opens('#general');
  const from = slack.deliveries.length;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const typing: Promise<void>[] = [];
  const started = performance.now();
  for (let count = 0; count < perSecond * seconds; count += 1) {
    await sleep(Math.max(0, started + (count * 1000) / perSecond - performance.now()));
    const person = people[count % people.length] as Person;
    await person.reloads();
    typing.push(person.types(`/drop ${asks[count % asks.length]}`));
  }
  await Promise.all(typing);
  const commands = slack.deliveries.slice(from).filter(({ kind }) => kind === 'slash_command');
  delay.disable();
  return {
    times: commands.map(({ ms }) => ms),
    unheard: commands.filter(({ outcome }) => outcome !== 'acked').length,
    ownDelayMs: delay.percentile(99) / 1e6,
  };
}

async function run(bench: Bench): Promise<void> {
  await withStage(async (stage) => {
    const teams: Team[] = [];
    for (let number = 1; number <= workspaces; number += 1) teams.push(await stage.addTeam(`Team${number}`));
    await compare(bench, stage, teams);
    await stage.ask('hang');
    const balancer = await startBalancer(stage.botUrl);
    stage.slack.deliverTo(balancer.url);
    const { times, unheard, ownDelayMs } = await typeSteadily(stage, teams).finally(balancer.close);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    bench.print(
      `\n${perSecond} commands a second for ${seconds} s that ask a service which hangs: acknowledged after `,
    );
    bench.print(`${p50} ms (median), 99 % within ${p99} ms${p99 < 500 ? '' : ' (MORE THAN 500)'}, `);
    bench.print(`${unheard} not within three seconds. Slack and its people, in this process, were themselves up to `);
    bench.print(`${ownDelayMs.toFixed(0)} ms late.\n`);
    bench.figure({ name: 'service hangs, p50', value: p50, unit: 'ms', better: 'lower' });
    bench.figure({ name: 'service hangs, p99', value: p99, unit: 'ms', better: 'lower' });
    bench.figure({ name: 'service hangs, not acknowledged', value: unheard, better: 'lower' });
    await stage.stopService();
  });
}

export const acks: Part = {
  name: 'acks',
  shows: 'how quickly commands are acknowledged, also while the service hangs',
  run,
};
