import { exportKind, type TableExport } from '../../common/delivery/export.ts';
import { exportContacts } from './operations.ts';

export const contactsExport: TableExport = {
  job: exportKind('contacts-export'),
  tableName: 'contacts',
  command: '/drop contacts',
  isOfDesk: true,
  make: async (services, actor) => ({
    csv: await exportContacts(services, actor),
    remark: 'You can import this file again as it is.',
  }),
};
