/** Records, chains and removes or logs audit entries until it is killed: `audit-worker.js <AuditWorkerArgs as JSON>`. */
import type pg from 'pg';
import { startChaining } from '../../src/process/chaining.ts';
import { openStore } from '../../src/store/index.ts';

export interface AuditWorkerArgs {
  connection: pg.ClientConfig;
  /** Base64. */
  secretKeys: string[];
  /** Whether to log the entries instead of removing them. */
  isLogging?: boolean;
}

async function main({ connection, secretKeys, isLogging = false }: AuditWorkerArgs): Promise<void> {
  const store = await openStore({ connection, secretKeys: secretKeys.map((key) => Buffer.from(key, 'base64')) });
  const entry = { workspace: 'T1', person: 'U1', action: 'pause', outcome: 'done' } as const;
  const record = async () => {
    for (let number = 0; ; number += 1)
      await store.audit.record({ ...entry, reference: `r${number}`, details: { reason: 'Maintenance' } });
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const sweep = async () => {
    for (;;) await store.chains.sweep(async () => ({ days: 0.2 / 86_400, since: 0 }), { rows: 7, maxStatements: 10 });
  };
  process.stdout.write('working\n');
  startChaining({ store, log }, { auditLog: isLogging ? 'true' : 'false', everyMs: 1 });
  await Promise.all([record(), record(), ...(isLogging ? [] : [sweep()])]);
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
