import type { JobHandler } from '../jobs/index.ts';
import { auditExport } from './audit/export.ts';
import { leavingJob } from './connect/job.ts';
import { connectingJob } from './connect/trial.ts';
import { contactsExport } from './contacts/export.ts';
import { editingJob } from './contacts/job.ts';
import { reconcileJob } from './contacts/reconcile-job.ts';
import { stagedNoticeJob } from './files/notify.ts';
import { announceJob } from './inbox/announce.ts';
import { downloadWatch } from './inbox/download-deliver.ts';
import { downloadJob } from './inbox/download-job.ts';
import { welcomeJob } from './install/welcome.ts';
import { grantJob } from './request/job.ts';
import { sendJob } from './send/job.ts';
import type { Services } from './services.ts';
import { channelNoticeJob } from './settings/channel-notice.ts';
import { exportWatch, tableExportJob } from './table-export.ts';
import { lateLookJob } from './transfers/late-look.ts';
import type { SlackServices } from './ui-services.ts';
import { uploadWatchJob } from './upload-watch.ts';

/** The jobs that don't depend on Slack. */
export function operationJobs(services: Services): JobHandler[] {
  const jobs = [leavingJob, channelNoticeJob, editingJob, reconcileJob, announceJob, grantJob, sendJob, lateLookJob];
  return jobs.map((jobOf) => jobOf(services));
}

/** All jobs, including those that use Slack directly. */
export function featureJobs(services: SlackServices): JobHandler[] {
  const more = [connectingJob, stagedNoticeJob, downloadJob, welcomeJob].map((jobOf) => jobOf(services));
  const exports = [contactsExport, auditExport].map((table) => tableExportJob(services, table));
  const watches = [downloadWatch, exportWatch].map((watchOf) => uploadWatchJob(services, watchOf(services)));
  return [...operationJobs(services), ...more, ...exports, ...watches];
}
