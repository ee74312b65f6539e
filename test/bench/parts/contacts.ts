import { growth, median, type Point, table } from '../figures.ts';
import { processorMsOf } from '../stage/processor.ts';
import { type Stage, type Team, withStage } from '../stage/stage.ts';
import type { Bench, Part } from './part.ts';

const sizes = [10, 1_000, 10_000];
const times = 15;
const field = 'Who gets your next dispatch?';

interface Cost {
  /** The median time that a person waits. */
  ms: number;
  /** The average CPU time of the bot. */
  cpuMs: number;
}

async function costOf({ bot }: Stage, work: () => Promise<number>): Promise<Cost> {
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await work();
  const before = await processorMsOf(bot.pid);
  const waited: number[] = [];
  for (let count = 0; count < times; count += 1) waited.push(await work());
  return { ms: median(waited), cpuMs: ((await processorMsOf(bot.pid)) - before) / times };
}

/** From typing into the field to the suggestions, as Slack sees it. */
async function typeAhead(stage: Stage, { workspace, bo }: Team): Promise<Cost> {
  await bo.types('/drop receivers');
  let number = 0;
  const cost = await costOf(stage, async () => {
    number = (number + 1) % 10;
    const from = stage.slack.deliveries.length;
    await bo.picks(field, `receiver-${number}@`);
    await bo.unpicks(field, `receiver-${number}@`);
    const asked = stage.slack.deliveries.slice(from);
    const found = asked.filter(({ kind, team }) => kind === 'block_suggestion' && team === workspace.id);
    return median(found.map(({ ms }) => ms));
  });
  await bo.closes();
  return cost;
}

/** From the command to the list, which is read afresh each time. */
const list = (stage: Stage, { bo }: Team, size: number): Promise<Cost> =>
  costOf(stage, async () => {
    const started = performance.now();
    await bo.types('/drop contacts');
    await bo.sees(`${size.toLocaleString('en')} contacts of your own`);
    const ms = performance.now() - started;
    await bo.closes();
    return ms;
  });

async function run({ print, figure }: Bench): Promise<void> {
  await withStage(async (stage) => {
    const rows: string[][] = [];
    const points: Record<'typeAhead' | 'list', Point[]> = { typeAhead: [], list: [] };
    for (const size of sizes) {
      const team = await stage.addTeam(`With${size}`, { contacts: size });
      const typed = await typeAhead(stage, team);
      const listed = await list(stage, team, size);
      points.typeAhead.push({ size, cost: typed.cpuMs });
      points.list.push({ size, cost: listed.cpuMs });
      for (const [name, { ms, cpuMs }] of Object.entries({ 'type-ahead': typed, list: listed })) {
        figure({ name: `${size} contacts, ${name}`, value: ms, unit: 'ms', better: 'lower' });
        figure({ name: `${size} contacts, ${name}, CPU`, value: cpuMs, unit: 'ms', better: 'lower' });
      }
      const words = ({ ms, cpuMs }: Cost) => [`${ms.toFixed(0)} ms`, `${cpuMs.toFixed(1)} ms`];
      rows.push([String(size), ...words(typed), ...words(listed)]);
    }
    const head = ['contacts', 'type-ahead', 'processor', 'list', 'processor'];
    print(table('Contacts: until a person sees the answer (median), and what the bot works for it', head, rows));
    print(`\nThe work of a type-ahead grows: ${growth(points.typeAhead)}.`);
    print(`\nThe work of a list grows: ${growth(points.list)}.\n`);
  });
}

export const contacts: Part = { name: 'contacts', shows: 'type-ahead and list, by the number of contacts', run };
