import { bounds } from '../../bounds.ts';
import type { AuditEntry, AuditFilter } from '../../store/index.ts';
import { audited } from '../common/audited.ts';
import { toCsv } from '../common/csv.ts';
import type { Actor, Services } from '../common/services.ts';
import { expectAllowed } from '../settings/permission.ts';

export interface FoundEntries {
  entries: AuditEntry[];
  /** The search continues with the entries before this number; undefined if all were searched. */
  next: number | undefined;
}

/** Finds the newest matching entries, up to the limit. `matches` runs here and not in SQL: the texts are encrypted. */
export async function searchAudit(
  services: Services,
  admin: Actor,
  { limit = 15, ...filter }: AuditFilter,
  matches?: (entry: AuditEntry) => boolean,
): Promise<FoundEntries> {
  await expectAllowed(services, admin, 'admin');
  const matchingEntries: AuditEntry[] = [];
  let { before } = filter;
  const batchSize = matches === undefined ? limit + 1 : bounds.auditBatch;
  for (let searched = 0; searched < bounds.auditEntriesSearched; searched += batchSize) {
    const batch = await services.store.audit.list(admin.workspace, { ...filter, before, limit: batchSize });
    for (const entry of batch) {
      if (matches?.(entry) === false) continue;
      if (matchingEntries.length === limit) return { entries: matchingEntries, next: matchingEntries.at(-1)?.number };
      matchingEntries.push(entry);
    }
    before = batch.at(-1)?.number;
    if (batch.length < batchSize) return { entries: matchingEntries, next: undefined };
  }
  return { entries: matchingEntries, next: before };
}

/** The actions to filter by. */
export async function auditActions(services: Services, admin: Actor): Promise<string[]> {
  await expectAllowed(services, admin, 'admin');
  const { rows } = await services.store.pool.query<{ action: string }>(
    'select distinct action from dropline.audit where workspace = $1 order by action limit 100',
    [admin.workspace],
  );
  return rows.map(({ action }) => action);
}

export interface ExportOptions {
  /** Called once for each person, one after the other. */
  nameOf?: (person: string) => Promise<string>;
  /** Approximate maximum number of rows, because all of them are in memory. */
  maxRows?: number;
}

/** All audit entries as CSV. If there are too many, leaves out entries older than `olderThan`. */
export function exportAudit(
  services: Services,
  admin: Actor,
  { nameOf = async () => '', maxRows = 50_000 }: ExportOptions = {},
): Promise<{ csv: string; olderThan: string | undefined }> {
  return audited(services, admin, 'audit export', async ({ addDetails }) => {
    await expectAllowed(services, admin, 'admin');
    const names = new Map<string, string>();
    const rows: string[][] = [['time', 'person', 'name', 'action', 'outcome', 'reference', 'details']];
    let before: number | undefined;
    let olderThan: string | undefined;
    while (true) {
      const entries = await services.store.audit.list(admin.workspace, { before, limit: 1_000 });
      if (rows.length > maxRows && entries.length > 0) {
        olderThan = rows.at(-1)?.[0];
        break;
      }
      for (const { at, person, action, outcome, reference, details } of entries) {
        const name = names.get(person) ?? (await nameOf(person));
        names.set(person, name);
        rows.push([
          at.toISOString(),
          person,
          name,
          action,
          outcome,
          reference,
          details === undefined ? '' : JSON.stringify(details),
        ]);
      }
      before = entries.at(-1)?.number;
      if (before === undefined) break;
    }
    addDetails({ rows: rows.length - 1, olderThan });
    return { csv: toCsv(rows), olderThan };
  });
}
