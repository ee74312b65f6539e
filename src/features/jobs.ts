import type { JobHandler } from '../jobs/index.ts';
import { auditExport } from './audit/export.ts';
import { leavingJob } from './connect/job.ts';
import { connectingJob } from './connect/trial.ts';
import { contactsExport } from './contacts/export.ts';
import { editingJob } from './contacts/job.ts';
import { settlingJob } from './contacts/settle-job.ts';
import { tellTrayJob } from './files/tell.ts';
import { announceJob } from './inbox/announce.ts';
import { downloadWatch } from './inbox/download-deliver.ts';
import { downloadJob } from './inbox/download-job.ts';
import { welcomeJob } from './install/welcome.ts';
import { lateLookJob } from './outgoing/late-look.ts';
import { grantJob } from './request/job.ts';
import { dispatchJob } from './send/job.ts';
import type { Services } from './services.ts';
import { channelNoticeJob } from './settings/channel-notice.ts';
import { exportWatch, tableExportJob } from './table-export.ts';
import type { SlackServices } from './ui-services.ts';
import { uploadWatchJob } from './upload-watch.ts';

/** Every kind of work that a worker does for the features. */
export function operationJobs(services: Services): JobHandler[] {
  const jobs = [leavingJob, channelNoticeJob, editingJob, settlingJob, announceJob, grantJob, dispatchJob, lateLookJob];
  return jobs.map((jobOf) => jobOf(services));
}

/** Those, and what is done for people in Slack alone. */
export function featureJobs(services: SlackServices): JobHandler[] {
  const more = [connectingJob, tellTrayJob, downloadJob, welcomeJob].map((jobOf) => jobOf(services));
  const exports = [contactsExport, auditExport].map((table) => tableExportJob(services, table));
  const watches = [downloadWatch, exportWatch].map((watchOf) => uploadWatchJob(services, watchOf(services)));
  return [...operationJobs(services), ...more, ...exports, ...watches];
}
