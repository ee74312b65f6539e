import type { WebClient } from '@slack/web-api';
import { exportKind, type TableExport } from '../common/export.ts';
import { exportAudit } from './operations.ts';

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

/** Looks up names in Slack. A name is empty if the person doesn't exist or Slack doesn't answer. */
function nameLookup(client: WebClient): (person: string) => Promise<string> {
  return async (person) => {
    try {
      const { user } = await client.users.info({ user: person });
      return user?.real_name ?? user?.name ?? '';
    } catch {
      return '';
    }
  };
}
