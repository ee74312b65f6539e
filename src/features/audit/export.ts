import type { WebClient } from '@slack/web-api';
import { exportKind, type TableExport } from '../table-export.ts';
import { exportAudit } from './operations.ts';

export const auditExport: TableExport = {
  job: exportKind('audit-export'),
  what: 'audit',
  command: '/drop audit',
  remark: 'Times are in UTC.',
  make: (services, actor, client) => exportAudit(services, actor, nameBy(client)),
};

/** Who somebody is; whoever is gone or cannot be asked about has an id alone. */
function nameBy(client: WebClient): (person: string) => Promise<string> {
  return async (person) => {
    try {
      const { user } = await client.users.info({ user: person });
      return user?.real_name ?? user?.name ?? '';
    } catch {
      return '';
    }
  };
}
