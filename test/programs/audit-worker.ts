/** Records, chains and removes audit entries until it is killed: `audit-worker.js <AuditWorkerArgs as JSON>`. */
import type pg from 'pg';
import { openStore } from '../../src/store/index.ts';

export interface AuditWorkerArgs {
  connection: pg.ClientConfig;
  /** Base64. */
  secretKeys: string[];
}

async function main({ connection, secretKeys }: AuditWorkerArgs): Promise<void> {
  const store = await openStore({ connection, secretKeys: secretKeys.map((key) => Buffer.from(key, 'base64')) });
  const entry = { workspace: 'T1', person: 'U1', action: 'pause', outcome: 'done' } as const;
  const record = async () => {
    for (let number = 0; ; number += 1)
      await store.audit.record({ ...entry, reference: `r${number}`, details: { reason: 'Maintenance' } });
  };
  const chain = async () => {
    for (;;) await store.chains.extend();
  };
  const sweep = async () => {
    for (;;) await store.chains.sweep(async () => ({ days: 0.2 / 86_400, since: 0 }), { rows: 7, maxStatements: 10 });
  };
  process.stdout.write('working\n');
  await Promise.all([record(), record(), chain(), sweep()]);
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
