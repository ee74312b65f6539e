import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../../src/sandbox/slack/index.ts';
import { secrets } from '../../../src/sandbox/workspace.ts';
import { startBalancer } from '../deployment/balancer.ts';
import { cpuMsOf } from '../deployment/cpu.ts';
import { type Deployment, type Team, withDeployment } from '../deployment/deployment.ts';
import { until } from '../deployment/until.ts';
import { median, percentile, table } from '../figures.ts';
import { startListening } from '../processes.ts';
import { sendCommands } from './acks-load.ts';
import type { Bench, Part } from './part.ts';

const rounds = 3;
/** Enough that no workspace reaches its limit of unfinished commands. */
const workspaces = 40;
const load = { clients: 16, durationMs: 2_000 };

interface Target {
  name: string;
  origin: string;
  pid: number;
  rates: number[];
  times: number[];
  cpuMs: number[];
}

/** Waits until the process has finished its acknowledged commands, so that they don't affect the next measurement. */
async function untilIdle(pid: number): Promise<void> {
  let before = await cpuMsOf(pid);
  await until(
    async () => {
      const now = await cpuMsOf(pid);
      const isIdle = !(now - before > 20);
      before = now;
      return isIdle;
    },
    'the process to be idle',
    { everyMs: 250 },
  );
}

/** Bolt and the bot take turns, so that noise affects both equally. */
async function compare(
  { port, print, addFigure }: Bench,
  { bot, botUrl }: Deployment,
  teams: readonly Team[],
): Promise<void> {
  const bolt = await startListening('bolt', secrets.signingSecret);
  const noSamples = { rates: [], times: [], cpuMs: [] };
  const targets: [Target, Target] = [
    {
      name: 'bare Bolt',
      origin: `http://127.0.0.1:${bolt.port}`,
      pid: bolt.child.pid ?? 0,
      ...structuredClone(noSamples),
    },
    { name: 'the bot', origin: botUrl, pid: bot.pid, ...structuredClone(noSamples) },
  ];
  // Several people per workspace, because a person can have ten unfinished commands.
  const senders = Array.from({ length: 10 }, (_, number) => number).flatMap((number) =>
    teams.map(({ workspace }) => ({
      signingSecret: secrets.signingSecret,
      workspace: workspace.id,
      person: workspace.addPerson({ name: `Sender ${number}` }).id,
      channel: workspace.channel('general').id,
      responseUrl: `http://127.0.0.1:${port}/sink`,
    })),
  );
  try {
    for (let round = -1; round < rounds; round += 1) {
      for (const target of targets) {
        const before = await cpuMsOf(target.pid);
        const started = performance.now();
        const times = await sendCommands(target.origin, senders, load);
        const seconds = (performance.now() - started) / 1000;
        await untilIdle(target.pid);
        if (round < 0) continue; // warm-up
        target.rates.push(times.length / seconds);
        target.times.push(...times);
        target.cpuMs.push(((await cpuMsOf(target.pid)) - before) / times.length);
      }
    }
  } finally {
    bolt.child.kill();
  }
  const [bare, ours] = targets;
  const rows = targets.map(({ name, rates, times, cpuMs }) => [
    name,
    `${median(rates).toFixed(0)}/s`,
    (median(rates) / median(bare.rates)).toFixed(2),
    ...[0.5, 0.99].map((share) => `${percentile(times, share).toFixed(1)} ms`),
    `${median(cpuMs).toFixed(2)} ms`,
  ]);
  const head = ['/drop help', 'acknowledged', 'x bare', 'p50', 'p99', 'processor each'];
  print(table(`Commands of ${load.clients} clients with persistent connections, medians of ${rounds}`, head, rows));
  print('\nBare Bolt only acknowledges. The bot also records the command, runs it and answers.\n');
  addFigure({ name: 'rate', value: median(ours.rates) / median(bare.rates), unit: 'x bare', better: 'higher' });
  addFigure({ name: 'CPU', value: median(ours.cpuMs) / median(bare.cpuMs), unit: 'x bare', better: 'lower' });
  addFigure({ name: 'p50', value: percentile(ours.times, 0.5), unit: 'ms', better: 'lower' });
  addFigure({ name: 'p99', value: percentile(ours.times, 0.99), unit: 'ms', better: 'lower' });
}

const perSecond = 100;
const seconds = 8;
const commandNames = ['contacts', 'inbox', 'history', 'status'];

interface TypingResult {
  /** How long each command took until Slack got the acknowledgement or gave up. */
  times: number[];
  notAcknowledged: number;
  /** The event loop delay of this process (p99), which also runs the simulated Slack. */
  ownDelayMs: number;
}

/** Each person types a command every second without waiting for the previous answer. */
async function typeSteadily({ slack }: Deployment, teams: readonly Team[]): Promise<TypingResult> {
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
    typing.push(person.types(`/drop ${commandNames[count % commandNames.length]}`));
  }
  await Promise.all(typing);
  const commands = slack.deliveries.slice(from).filter(({ kind }) => kind === 'slash_command');
  delay.disable();
  return {
    times: commands.map(({ ms }) => ms),
    notAcknowledged: commands.filter(({ outcome }) => outcome !== 'acked').length,
    ownDelayMs: delay.percentile(99) / 1e6,
  };
}

async function run(bench: Bench): Promise<void> {
  await withDeployment(async (deployment) => {
    const teams: Team[] = [];
    for (let number = 1; number <= workspaces; number += 1) teams.push(await deployment.addTeam(`Team${number}`));
    await compare(bench, deployment, teams);
    await deployment.callService('hang');
    const balancer = await startBalancer(deployment.botUrl);
    deployment.slack.deliverTo(balancer.url);
    const { times, notAcknowledged, ownDelayMs } = await typeSteadily(deployment, teams).finally(balancer.close);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    bench.print(`\n${perSecond} commands a second for ${seconds} s while the service hangs: acknowledged after `);
    bench.print(`${p50} ms (median), 99 % within ${p99} ms${p99 < 500 ? '' : ' (MORE THAN 500)'}, `);
    bench.print(`${notAcknowledged} not within three seconds. The simulated Slack in this process was itself up to `);
    bench.print(`${ownDelayMs.toFixed(0)} ms late.\n`);
    bench.addFigure({ name: 'service hangs, p50', value: p50, unit: 'ms', better: 'lower' });
    bench.addFigure({ name: 'service hangs, p99', value: p99, unit: 'ms', better: 'lower' });
    bench.addFigure({ name: 'service hangs, not acknowledged', value: notAcknowledged, better: 'lower' });
    await deployment.stopService();
  });
}

export const acks: Part = {
  name: 'acks',
  description: 'how quickly commands are acknowledged, also while the service hangs',
  run,
};
