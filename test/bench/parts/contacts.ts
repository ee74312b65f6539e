import { contactsOf } from '../contacts-body.ts';
import { cpuMsOf } from '../deployment/cpu.ts';
import { type Deployment, type Team, withDeployment } from '../deployment/deployment.ts';
import { growth, median, type Point, table } from '../figures.ts';
import type { Bench, Part } from './part.ts';

const sizes = [10, 1_000, 10_000];
const repeats = 15;
const field = 'Recipients of your next transfer';

interface Cost {
  /** The median time that a person waits. */
  ms: number;
  /** The average CPU time of the bot. */
  cpuMs: number;
}

async function measureCost({ bot }: Deployment, work: () => Promise<number>): Promise<Cost> {
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await work();
  const before = await cpuMsOf(bot.pid);
  const waited: number[] = [];
  for (let count = 0; count < repeats; count += 1) waited.push(await work());
  return { ms: median(waited), cpuMs: ((await cpuMsOf(bot.pid)) - before) / repeats };
}

/** Measures, in the simulated Slack, from typing into the field to the suggestions. */
async function measureTypeAhead(deployment: Deployment, { workspace, bo }: Team): Promise<Cost> {
  await bo.types('/drop receivers');
  let number = 0;
  const cost = await measureCost(deployment, async () => {
    number = (number + 1) % 10;
    const from = deployment.slack.deliveries.length;
    await bo.picks(field, `receiver-${number}@`);
    await bo.unpicks(field, `receiver-${number}@`);
    const deliveries = deployment.slack.deliveries.slice(from);
    const found = deliveries.filter(({ kind, team }) => kind === 'block_suggestion' && team === workspace.id);
    return median(found.map(({ ms }) => ms));
  });
  await bo.closes();
  return cost;
}

/** Measures from the command to the list, which the bot reads from the service each time. */
const measureList = (deployment: Deployment, { bo }: Team, size: number): Promise<Cost> =>
  measureCost(deployment, async () => {
    const started = performance.now();
    await bo.types('/drop contacts');
    await bo.sees(`${size.toLocaleString('en')} contacts`);
    const ms = performance.now() - started;
    await bo.closes();
    return ms;
  });

/** The baseline: CPU time that this process needs to parse the same list. */
function parsingMs(size: number): number {
  const body = Buffer.from(JSON.stringify({ local: contactsOf(size), global: [] }));
  const parse = () => JSON.parse(body.toString());
  for (let warmUp = 0; warmUp < 3; warmUp += 1) parse();
  const before = process.cpuUsage();
  for (let count = 0; count < repeats; count += 1) parse();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeats;
}

async function run({ print, addFigure }: Bench): Promise<void> {
  await withDeployment(async (deployment) => {
    const rows: string[][] = [];
    const points: Record<'typeAhead' | 'list', Point[]> = { typeAhead: [], list: [] };
    for (const size of sizes) {
      const team = await deployment.addTeam(`With${size}`, { contacts: size });
      const typeAhead = await measureTypeAhead(deployment, team);
      const list = await measureList(deployment, team, size);
      points.typeAhead.push({ size, cost: typeAhead.cpuMs });
      points.list.push({ size, cost: list.cpuMs });
      for (const [name, { ms, cpuMs }] of Object.entries({ 'type-ahead': typeAhead, list })) {
        addFigure({ name: `${size} contacts, ${name}`, value: ms, unit: 'ms', better: 'lower' });
        addFigure({ name: `${size} contacts, ${name}, CPU`, value: cpuMs, unit: 'ms', better: 'lower' });
      }
      const cells = ({ ms, cpuMs }: Cost) => [`${ms.toFixed(0)} ms`, `${cpuMs.toFixed(1)} ms`];
      rows.push([String(size), ...cells(typeAhead), ...cells(list), `${parsingMs(size).toFixed(1)} ms`]);
    }
    const head = ['contacts', 'type-ahead', 'CPU', 'list', 'CPU', 'bare JSON.parse'];
    print(table('Contacts: time until a person sees the answer (median), and CPU time of the bot', head, rows));
    print(`\nCPU time of a type-ahead by number of contacts: ${growth(points.typeAhead)}.`);
    print(`\nCPU time of a list by number of contacts: ${growth(points.list)}.\n`);
  });
}

export const contacts: Part = { name: 'contacts', description: 'type-ahead and list, by the number of contacts', run };
