import { bounds } from '../../lib/bounds.ts';
import type { AuditEntry, AuditFilter } from '../../store/index.ts';
import type { Actor, Services } from '../common/services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { readWorkspaceSettings } from '../settings/repository.ts';

export interface FoundEntries {
  entries: AuditEntry[];
  /** The search continues with the entries before this number; undefined if all were searched. */
  next: number | undefined;
}

/** Finds the newest matching entries, up to the limit. `matches` runs here and not in SQL: the texts are encrypted. */
export async function searchAudit(
  services: Services,
  auditor: Actor,
  { limit, ...filter }: AuditFilter & { limit: number },
  matches?: (entry: AuditEntry) => boolean,
): Promise<FoundEntries> {
  await expectAllowed(services, auditor, 'audit');
  const matchingEntries: AuditEntry[] = [];
  let { before } = filter;
  const batchSize = matches === undefined ? limit + 1 : bounds.auditBatch;
  for (let searched = 0; searched < bounds.auditEntriesSearched; ) {
    const batch = await services.store.audit.list(auditor.workspace, { ...filter, before, limit: batchSize });
    for (const entry of batch) {
      if (matches?.(entry) === false) continue;
      if (matchingEntries.length === limit) return { entries: matchingEntries, next: matchingEntries.at(-1)?.number };
      matchingEntries.push(entry);
    }
    if (batch.length === 0) return { entries: matchingEntries, next: undefined };
    before = batch.at(-1)?.number;
    searched += batch.length;
  }
  return { entries: matchingEntries, next: before };
}

/** Removes entries that are older than their workspaces keep them. Resolves with how many. */
export function sweepAudit({ store }: Pick<Services, 'store'>): Promise<number> {
  return store.chains.sweep(async (workspace) => {
    const { auditDays, changed } = await readWorkspaceSettings({ store }, workspace);
    return changed.auditDays && { days: auditDays, since: changed.auditDays.at };
  });
}
