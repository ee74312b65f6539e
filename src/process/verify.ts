import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { bounds } from '../lib/bounds.ts';
import { readOptions } from '../lib/usage.ts';
import type { Store } from '../store/index.ts';
import { withStore } from './store-commands.ts';

const usage = `Usage: node dist/main.js verify [--log <file>]

Checks the audit chain of every workspace, and says what was changed, removed, inserted or reordered in the database.
Exits with 1 if anything was.

  --log <file>   also compares it with a log that AUDIT_LOG has written (-: standard input)
`;

export async function verify(args: string[], environment: () => NodeJS.ProcessEnv): Promise<void> {
  const options = readOptions(args, usage, { log: { type: 'string' } });
  if (options === undefined) return;
  await withStore(environment(), async (store) => {
    await verifyChains(store);
    if (options.log !== undefined) await compareWithLog(store, options.log);
  });
}

function printProblems(workspace: string, problems: readonly string[]): void {
  for (const problem of problems) process.stdout.write(`${workspace}: ✗ ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

async function verifyChains({ chains }: Store): Promise<void> {
  for await (const { workspace, ends, waiting, problems } of chains.verify()) {
    const { head, removed } = ends;
    const range = head.number > removed.number ? `entries ${removed.number + 1} to ${head.number}` : 'no entries';
    const later = waiting > 0 ? `, ${waiting} without a number yet` : '';
    process.stdout.write(`${workspace}: ${range}${later}, last hash ${head.hash}\n`);
    printProblems(workspace, problems);
  }
}

const loggedEntry = z.object({ audit: z.object({ workspace: z.string(), number: z.int(), hash: z.string() }) });
type LoggedEntry = z.infer<typeof loggedEntry>['audit'];

/** Compares the log with the chains, in batches of limited size. */
async function compareWithLog({ chains }: Store, path: string): Promise<void> {
  let count = 0;
  let batch: LoggedEntry[] = [];
  const compareBatch = async () => {
    for (const workspace of new Set(batch.map((entry) => entry.workspace))) {
      const entries = batch.filter((entry) => entry.workspace === workspace);
      printProblems(workspace, await chains.compare(workspace, entries));
    }
    count += batch.length;
    batch = [];
  };
  const input = path === '-' ? process.stdin : createReadStream(path);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const entry = readLine(line);
    if (entry === undefined) continue;
    batch.push(entry);
    if (batch.length === bounds.entriesChained) await compareBatch();
  }
  await compareBatch();
  process.stdout.write(`${count} lines of the log compared\n`);
}

/** The entry on a line, which can have other fields around it; undefined for other lines. */
function readLine(line: string): LoggedEntry | undefined {
  const start = line.indexOf('{');
  try {
    return loggedEntry.parse(JSON.parse(line.slice(start))).audit;
  } catch {
    return undefined;
  }
}
