import type { WebClient } from '@slack/web-api';
import { bounds } from '../../lib/bounds.ts';
import type { Piece } from '../../slack/blocks.ts';
import { type AuditEntry, operator } from '../../store/index.ts';
import { audited } from '../common/audited.ts';
import { toCsv } from '../common/csv.ts';
import { exportKind, type TableExport } from '../common/delivery/export.ts';
import type { Actor, Services } from '../common/services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { cellsOf, unreadableText } from './texts.ts';

export const auditExport: TableExport = {
  job: exportKind('audit-export'),
  tableName: 'audit',
  command: '/drop audit',
  async make(services, actor, client) {
    const { csv, olderThan } = await exportAudit(services, actor, { nameOf: nameLookup(client) });
    const omittedText =
      olderThan === undefined
        ? ''
        : ` It doesn't contain entries older than ${olderThan}, because it would be too long.`;
    return { csv, remark: `Times are in UTC.${omittedText}` };
  },
};

type Named = { user: string } | { channel: string };

/** Looks up names in Slack. A name is empty if it doesn't exist or Slack doesn't answer. */
export function nameLookup(client: WebClient): (named: Named) => Promise<string> {
  return async (named) => {
    try {
      if ('channel' in named) return (await client.conversations.info(named)).channel?.name ?? '';
      const { user } = await client.users.info(named);
      return user?.real_name ?? user?.name ?? '';
    } catch {
      return '';
    }
  };
}

export interface ExportOptions {
  /** Called once for each person and channel, one after the other. */
  nameOf?: (named: Named) => Promise<string>;
  /** Approximate maximum number of rows and of characters, because all of them are in memory. */
  maxRows?: number;
  maxChars?: number;
}

const columns = [
  'time',
  'person',
  'name',
  'action',
  'outcome',
  'reference',
  'files',
  'recipients',
  'bytes',
  'sha256',
  'details',
];

/** All audit entries as CSV. If there are too many, leaves out entries older than `olderThan`. */
export function exportAudit(
  services: Services,
  auditor: Actor,
  { nameOf = async () => '', maxRows = 50_000, maxChars = bounds.exportChars }: ExportOptions = {},
): Promise<{ csv: string; olderThan: string | undefined }> {
  const names = new Map<string, string>();
  const cachedNameOf = async (named: Named) => {
    const id = 'user' in named ? named.user : named.channel;
    const name = names.get(id) ?? (await nameOf(named));
    names.set(id, name);
    return name;
  };
  return audited(services, auditor, 'audit export', async ({ recordEffect }) => {
    await expectAllowed(services, auditor, 'audit');
    const rows: string[][] = [columns];
    let before: number | undefined;
    let olderThan: string | undefined;
    let chars = 0;
    while (true) {
      const entries = await services.store.audit.list(auditor.workspace, { before, limit: 1_000 });
      if ((rows.length > maxRows || chars > maxChars) && entries.length > 0) {
        olderThan = rows.at(-1)?.[0];
        break;
      }
      for (const entry of entries) {
        const row = await rowOf(entry, cachedNameOf);
        chars += row.join().length;
        rows.push(row);
      }
      before = entries.at(-1)?.number;
      if (before === undefined) break;
    }
    await recordEffect({ rows: rows.length - 1, olderThan });
    return { csv: toCsv(rows), olderThan };
  });
}

async function rowOf(entry: AuditEntry, nameOf: (named: Named) => Promise<string>): Promise<string[]> {
  const { at, person, action, outcome, reference, details } = entry;
  const time = at.toISOString();
  if (details === undefined) return [time, ...columns.slice(2).map(() => ''), unreadableText];
  const { files, recipients, size, sha256, details: more } = cellsOf(details);
  const texts = [];
  for (const piece of more) texts.push(await plainText(piece, nameOf));
  const name = person === operator ? '' : await nameOf({ user: person });
  return [time, person, name, action, outcome, reference, files, recipients, size, sha256, texts.join('')];
}

async function plainText(piece: Piece, nameOf: (named: Named) => Promise<string>): Promise<string> {
  if (typeof piece === 'string') return piece;
  if ('user' in piece) return (await nameOf(piece)) || piece.user;
  if ('channel' in piece) return `#${(await nameOf(piece)) || piece.channel}`;
  return 'bold' in piece ? piece.bold : '';
}
