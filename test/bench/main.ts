/**
 * `npm run bench [-- name …]`: what everything costs, as ratios to an anchor that is measured in the same run. All parts
 * one after the other, or those that are named.
 */
import { cp } from 'node:fs/promises';
import { acks } from './parts/acks.ts';
import { announcing } from './parts/announcing.ts';
import { contacts } from './parts/contacts.ts';
import { dispatches } from './parts/dispatches.ts';
import { hour } from './parts/hour.ts';
import { jobs } from './parts/jobs.ts';
import type { Part } from './parts/part.ts';
import { polling } from './parts/polling.ts';
import { polls } from './parts/polls.ts';
import { relays } from './parts/relays.ts';
import { start } from './parts/start.ts';
import { whole } from './parts/whole.ts';
import { startListening } from './processes.ts';

const parts: readonly Part[] = [
  relays,
  polls,
  polling,
  jobs,
  start,
  whole,
  acks,
  announcing,
  dispatches,
  contacts,
  hour,
];

const print = (text: string) => process.stdout.write(text);

/** What is to be run; undefined where a name is nobody's. */
function chosen(names: readonly string[]): readonly Part[] | undefined {
  if (names.length === 0) return parts;
  const found = names.map((name) => parts.find((part) => part.name === name));
  return found.every((part) => part !== undefined) ? found : undefined;
}

async function main(names: readonly string[]): Promise<void> {
  const wanted = chosen(names);
  if (wanted === undefined) {
    const lines = parts.map(({ name, shows }) => `  ${name.padEnd(12)}${shows}\n`);
    process.stderr.write(`Usage: npm run bench -- [name …]\n\n${lines.join('')}`);
    process.exitCode = 1;
    return;
  }
  // The bot looks for it beside its compiled sources.
  await cp('manifest', new URL('../../manifest', import.meta.url), { recursive: true });
  const { port, child } = await startListening('servers');
  try {
    for (const { name, run } of wanted) {
      const started = performance.now();
      await run({ port, print });
      print(`(${name}: ${((performance.now() - started) / 1000).toFixed(0)} s)\n`);
    }
  } finally {
    child.kill();
  }
}

await main(process.argv.slice(2));
