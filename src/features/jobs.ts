import type { JobHandler } from '../jobs/index.ts';
import { connectJob } from './account/connect/jobs.ts';
import { welcomeJob } from './account/install/jobs.ts';
import { disconnectJob, leaveJob } from './account/leave/jobs.ts';
import { auditExport } from './audit/export.ts';
import { fileShareCheck } from './common/delivery/file-message.ts';
import { tableExportJob } from './common/export.ts';
import type { Services } from './common/services.ts';
import type { SlackServices } from './common/ui-services.ts';
import { shareCheckJob } from './common/upload.ts';
import { editingJob, reconcileJob } from './contacts/edit/jobs.ts';
import { contactsExport } from './contacts/import/export.ts';
import { announceJob, digestsChangedJob } from './inbox/announce/jobs.ts';
import { downloadShareCheck } from './inbox/download/deliver.ts';
import { downloadJob } from './inbox/download/jobs.ts';
import { remindJob } from './inbox/reminders/jobs.ts';
import { workChangedJob } from './inbox/work/jobs.ts';
import { channelNoticeJob } from './settings/jobs.ts';
import { adminNoticeJob } from './settings/notices/jobs.ts';
import { sharedFilesJob } from './staging/notify.ts';
import { openFileJob } from './transfers/approval/files/jobs.ts';
import { approvalJob, approversJob } from './transfers/approval/jobs.ts';
import { lateCheckJob } from './transfers/history/jobs.ts';
import { checklistJob } from './transfers/kinds/request/checklist/jobs.ts';
import { requestJob } from './transfers/kinds/request/jobs.ts';
import { sendJob } from './transfers/kinds/send/jobs.ts';

/** The jobs that don't use Slack directly. */
export function operationJobs(services: Services): JobHandler[] {
  const account = [leaveJob, disconnectJob, channelNoticeJob, adminNoticeJob];
  const inbox = [announceJob, digestsChangedJob, remindJob, workChangedJob];
  const transfers = [requestJob, sendJob, lateCheckJob, approvalJob, approversJob];
  const jobs = [...account, editingJob, reconcileJob, ...inbox, ...transfers];
  return jobs.map((jobOf) => jobOf(services));
}

/** All jobs, including those that use Slack directly. */
export function featureJobs(services: SlackServices): JobHandler[] {
  const slackJobKinds = [connectJob, sharedFilesJob, downloadJob, openFileJob, welcomeJob, checklistJob];
  const slackJobs = slackJobKinds.map((jobOf) => jobOf(services));
  const exports = [contactsExport, auditExport].map((table) => tableExportJob(services, table));
  const shareChecks = [downloadShareCheck, fileShareCheck].map((checkOf) => shareCheckJob(services, checkOf(services)));
  return [...operationJobs(services), ...slackJobs, ...exports, ...shareChecks];
}
