import type { ChainedEntry, ChainReport, Store } from '../../src/store/index.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

export const entry = { workspace: 'T1', person: 'U1', action: 'pause', outcome: 'done' } as const;

export async function addEntries(store: Store, references: readonly string[], workspace = 'T1'): Promise<void> {
  for (const reference of references)
    await store.audit.record({ ...entry, workspace, reference, details: { target: 'sending', reason: reference } });
}

export async function setUpChain(postgres: TestPostgres) {
  const setup = await setUpStore(postgres);
  await addEntries(setup.store, ['r1', 'r2', 'r3', 'r4', 'r5']);
  await setup.store.chains.extend();
  return setup;
}

export async function reportsOf(store: Store): Promise<ChainReport[]> {
  const reports: ChainReport[] = [];
  for await (const report of store.chains.verify()) reports.push(report);
  return reports;
}

export const problemsOf = async (store: Store) => (await reportsOf(store)).flatMap(({ problems }) => problems);

/** Writes to a log that can be compared with the chain of T1 later. */
export function createAuditLog({ chains }: Store) {
  const entries: ChainedEntry[] = [];
  const write = async (added: ChainedEntry[]) => void entries.push(...added);
  return { entries, log: () => chains.log(write), compare: () => chains.compare('T1', entries) };
}
