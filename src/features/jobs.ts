import type { JobHandler } from '../jobs/index.ts';
import { connectJob } from './account/connect/jobs.ts';
import { welcomeJob } from './account/install/jobs.ts';
import { disconnectJob, leaveJob } from './account/leave/jobs.ts';
import { auditExport } from './audit/export.ts';
import { tableExportJob } from './common/delivery/export.ts';
import { fileShareCheck } from './common/delivery/file-message.ts';
import { shareCheckJob } from './common/delivery/share.ts';
import { editingJob, reconcileJob } from './contacts/edit/jobs.ts';
import { contactsExport } from './contacts/import/export.ts';
import { announceJob, digestsChangedJob } from './inbox/announce/jobs.ts';
import { downloadShareCheck } from './inbox/download/deliver.ts';
import { downloadJob } from './inbox/download/jobs.ts';
import { filesMovedJob } from './inbox/move/jobs.ts';
import { remindJob } from './inbox/reminders/jobs.ts';
import { workChangedJob } from './inbox/work/jobs.ts';
import { receiptJob } from './receipts/jobs.ts';
import { checkChannelsJob } from './settings/channels/jobs.ts';
import { adminNoticeJob, channelNoticeJob } from './settings/jobs.ts';
import { sharedFilesJob } from './staging/notify.ts';
import { approvalJob, approversJob } from './transfers/approval/jobs.ts';
import { checklistJob } from './transfers/checklist/jobs.ts';
import { openFileJob } from './transfers/copies/jobs.ts';
import type { TransferServices } from './transfers/kind.ts';
import { transferJob } from './transfers/lifecycle/jobs.ts';
import { lateCheckJob } from './transfers/outcome/jobs.ts';
import type { TransferSlackServices } from './transfers/shown-kind.ts';

/** The jobs that don't use Slack directly. */
export function operationJobs(services: TransferServices): JobHandler[] {
  const account = [leaveJob, disconnectJob, channelNoticeJob, adminNoticeJob, checkChannelsJob];
  const inbox = [announceJob, digestsChangedJob, workChangedJob];
  const transfers = [lateCheckJob, approvalJob, approversJob];
  const jobs = [...account, editingJob, reconcileJob, ...inbox, ...transfers];
  const kinds = Object.values(services.kinds);
  return [...jobs.map((jobOf) => jobOf(services)), ...kinds.map((kind) => transferJob(services, kind))];
}

/** All jobs, including those that use Slack directly. */
export function featureJobs(services: TransferSlackServices): JobHandler[] {
  const slackJobKinds = [
    connectJob,
    sharedFilesJob,
    downloadJob,
    openFileJob,
    welcomeJob,
    checklistJob,
    remindJob,
    filesMovedJob,
    receiptJob,
  ];
  const slackJobs = slackJobKinds.map((jobOf) => jobOf(services));
  const exports = [contactsExport, auditExport].map((table) => tableExportJob(services, table));
  const shareChecks = [downloadShareCheck, fileShareCheck].map((checkOf) => shareCheckJob(services, checkOf(services)));
  return [...operationJobs(services), ...slackJobs, ...exports, ...shareChecks];
}
