import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { bounds } from '../lib/bounds.ts';
import { digestOf } from '../lib/hashed.ts';
import { type PublicKeys, publicKeys, type Receipt, readReceipt, signedTextOf } from '../lib/receipt.ts';
import { readArguments, UsageError } from '../lib/usage.ts';
import type { Store } from '../store/index.ts';

const usage = `Usage: node dist/main.js verify [--log <file>]
       node dist/main.js verify <receipt.json> [file …] [--key <file>]
       node dist/main.js verify --keys

Checks the audit chain of every workspace, and says what was changed, removed, inserted or reordered in the database.
With a receipt, checks its signature, its entries in the database, and that the files are those of the receipt.
Exits with 1 if anything is wrong.

  --log <file>   also compares the database with a log that AUDIT_LOG has written (-: standard input)
  --keys         prints the public keys; with a PUBLIC_URL, they are also at /.well-known/dropline.json
  --key <file>   checks the receipt with these public keys, without a database
`;

export async function verify(args: string[], environment: () => NodeJS.ProcessEnv): Promise<void> {
  const read = readArguments(args, usage, {
    log: { type: 'string' },
    key: { type: 'string' },
    keys: { type: 'boolean' },
  });
  if (read === undefined) return;
  const { log, key, keys } = read.values;
  const [receipt, ...files] = read.positionals;
  if (receipt !== undefined && key !== undefined)
    return void (await verifyReceipt(receipt, files, await readKeys(key)));
  // Loads the bot, which a check without a database doesn't need.
  const { withStore } = await import('./store-commands.ts');
  await withStore(environment(), async (store) => {
    const publicKeys = { keys: await store.signingKeys.publicKeys() };
    if (keys === true) return void process.stdout.write(`${JSON.stringify(publicKeys, null, 2)}\n`);
    if (receipt !== undefined) {
      const { workspace = '', entries = [] } = (await verifyReceipt(receipt, files, publicKeys.keys)) ?? {};
      return printProblems(workspace, await store.chains.compare(workspace, entries));
    }
    await verifyChains(store);
    if (log !== undefined) await compareWithLog(store, log);
  });
}

async function readKeys(path: string): Promise<PublicKeys> {
  try {
    return publicKeys.parse(JSON.parse(await readFile(path, 'utf8'))).keys;
  } catch (error) {
    throw new UsageError(`${path} has no public keys (${error instanceof Error ? error.message : error})`);
  }
}

/** Says whether the receipt is valid, and which of its files these are. Resolves with the receipt if it is valid. */
async function verifyReceipt(path: string, files: readonly string[], keys: PublicKeys): Promise<Receipt | undefined> {
  const read = readReceipt(await readFile(path, 'utf8'), keys);
  const fail = (text: string) => {
    process.stdout.write(`✗ ${text}\n`);
    process.exitCode = 1;
  };
  if ('problem' in read) return void fail(`${path}: ${read.problem}`);
  const { receipt, key } = read;
  process.stdout.write(`${printable(signedTextOf(receipt))}✓ ${path}: signed with the key ${key}\n`);
  for (const file of files) {
    const known = receipt.entries.flatMap((entry) => entry.files);
    const { sha256 } = await digestOf(createReadStream(file));
    const same = known.find((other) => other.sha256 === sha256);
    if (same === undefined) fail(`${file}: the receipt has no file with the SHA-256 ${sha256}`);
    else process.stdout.write(`✓ ${file}: has the content of ${printable(JSON.stringify(same.name))}\n`);
  }
  process.stdout.write(`Not proved: ${printable(receipt.doesNotProve)}\n`);
  return receipt;
}

/** Names come from strangers, and must not control the terminal. */
const printable = (text: string) => text.replace(/[^\P{C}\n]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);

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
