import type { JobHandler } from '../jobs/index.ts';
import { leaveJob } from './account/connect/job.ts';
import { connectJob } from './account/connect/trial.ts';
import { welcomeJob } from './account/install/welcome.ts';
import { auditExport } from './audit/export.ts';
import type { Services } from './common/services.ts';
import type { SlackServices } from './common/ui-services.ts';
import { exportWatch, tableExportJob } from './common/uploads/table-export.ts';
import { uploadWatchJob } from './common/uploads/upload-watch.ts';
import { editingJob, reconcileJob } from './contacts/edit/job.ts';
import { contactsExport } from './contacts/import/export.ts';
import { announceJob } from './inbox/announce/job.ts';
import { downloadWatch } from './inbox/download/deliver.ts';
import { downloadJob } from './inbox/download/job.ts';
import { channelNoticeJob } from './settings/channel-notice.ts';
import { stagedNoticeJob } from './staging/notify.ts';
import { grantJob } from './transfers/kinds/request/job.ts';
import { sendJob } from './transfers/kinds/send/job.ts';
import { lateCheckJob } from './transfers/late-check.ts';

/** The jobs that don't depend on Slack. */
export function operationJobs(services: Services): JobHandler[] {
  const jobs = [leaveJob, channelNoticeJob, editingJob, reconcileJob, announceJob, grantJob, sendJob, lateCheckJob];
  return jobs.map((jobOf) => jobOf(services));
}

/** All jobs, including those that use Slack directly. */
export function featureJobs(services: SlackServices): JobHandler[] {
  const slackJobs = [connectJob, stagedNoticeJob, downloadJob, welcomeJob].map((jobOf) => jobOf(services));
  const exports = [contactsExport, auditExport].map((table) => tableExportJob(services, table));
  const watches = [downloadWatch, exportWatch].map((watchOf) => uploadWatchJob(services, watchOf(services)));
  return [...operationJobs(services), ...slackJobs, ...exports, ...watches];
}
