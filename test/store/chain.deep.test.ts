import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ChainedEntry } from '../../src/store/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import type { AuditWorkerArgs } from '../programs/audit-worker.ts';
import { createAuditLog, problemsOf, reportsOf, setUpChain } from './chain.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('two workers, kill -9, a key rotation and sweeps leave a clean chain', async () => {
  const { store, database, openAnotherStore, secretKeys } = await setUpChain(postgres);
  const next = randomBytes(32);
  const work = (keys: readonly Buffer[]) => {
    const args: AuditWorkerArgs = {
      connection: database.connection,
      secretKeys: keys.map((key) => key.toString('base64')),
    };
    return programs.run('test/programs/audit-worker.ts', [JSON.stringify(args)]);
  };
  const rotating = await openAnotherStore({ secretKeys: [next, ...secretKeys] });
  for (const keys of [secretKeys, secretKeys, [next, ...secretKeys]]) {
    const workers = [work(keys), work(keys)];
    for (const worker of workers) expect(await worker.nextLine()).toBe('working');
    await sleep(400);
    if (keys.length > 1) await rotating.reencrypt();
    for (const { child, ended } of workers) {
      child.kill('SIGKILL');
      expect(await ended).toMatchObject({ signal: 'SIGKILL' });
    }
    expect(await problemsOf(rotating)).toEqual([]);
  }
  await rotating.reencrypt();
  const rotated = await openAnotherStore({ secretKeys: [next] });
  while ((await rotated.chains.extend()) > 0);
  const [report] = await reportsOf(rotated);
  expect(report).toMatchObject({ waiting: 0, problems: [] });
  expect(report?.ends.removed.number).toBeGreaterThan(5);
  expect(report?.ends.head.number).toBeGreaterThan(report?.ends.removed.number ?? 0);
  expect(await problemsOf(store)).not.toEqual([]);
}, 60_000);

test('after kill -9, every entry is logged, in order, with its hash', async () => {
  const { store, database, secretKeys } = await setUpChain(postgres);
  const args: AuditWorkerArgs = {
    connection: database.connection,
    secretKeys: secretKeys.map((key) => key.toString('base64')),
    isLogging: true,
  };
  const log = createAuditLog(store);
  for (let round = 0; round < 2; round += 1) {
    const workers = [0, 1].map(() => programs.run('test/programs/audit-worker.ts', [JSON.stringify(args)]));
    for (const worker of workers) expect(await worker.nextLine()).toBe('working');
    await expect.poll(() => Math.max(...workers.map(({ printedLines }) => printedLines().length))).toBeGreaterThan(20);
    for (const { child } of workers) child.kill('SIGKILL');
    for (const { ended, printedLines } of workers) {
      await ended;
      const entries: ChainedEntry[] = printedLines()
        .slice(1)
        .map((line) => JSON.parse(line).audit);
      const numbers = entries.map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
      log.entries.push(...entries);
    }
  }
  while ((await store.chains.extend()) > 0);
  while ((await log.log()) > 0);
  const [report] = await reportsOf(store);
  const numbers = new Set(log.entries.map(({ number }) => number));
  expect(numbers.size).toBe(report?.ends.head.number);
  expect(await log.compare()).toEqual([]);
}, 60_000);
