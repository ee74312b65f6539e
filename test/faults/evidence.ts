import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lane } from './lane.ts';
import type { Run } from './run.ts';

const maxLines = 1_000;

/** Saves the logs and data of a failed run, because a replay of the seed has slightly different timing. */
export async function saveEvidence(folder: string, lane: Lane, { seed, violations }: Run): Promise<void> {
  const { pool } = lane.services.store;
  const rows = async (statement: string) => (await pool.query(statement)).rows;
  const linesOf = (entries: readonly object[]) =>
    entries.slice(-maxLines).map((entry) => JSON.stringify(entry, shorten));
  const people = lane.slack
    .workspaces()
    .filter(({ name }) => name.endsWith(` ${seed}`))
    .flatMap(({ name, people }) => people.map((person) => `${person.name} of ${name}\n${textsOf(person.messages)}\n`));
  const evidence: Record<string, readonly string[]> = {
    violations,
    bots: [lane.bots.printed().slice(-5_000_000)],
    people,
    'slack-calls': linesOf(lane.slack.calls),
    'slack-deliveries': linesOf(lane.slack.deliveries),
    'service-calls': linesOf(lane.exchange.calls),
    jobs: linesOf(await rows('select * from graphile_worker._private_jobs')),
    database: linesOf(await rows('select pid, application_name, state, wait_event, query from pg_stat_activity')),
  };
  const target = join(folder, String(seed));
  await mkdir(target, { recursive: true });
  for (const [name, lines] of Object.entries(evidence)) await writeFile(join(target, `${name}.txt`), lines.join('\n'));
}

const textsOf = (messages: readonly { destination: string; text: string }[]) =>
  messages.map(({ destination, text }) => `[${destination}] ${text}`).join('\n');

const shorten = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(0, 2_000) : value);
