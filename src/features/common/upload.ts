import { z } from 'zod';
import { DroplineError, type ErrorLink, isDroplineError } from '../../errors.ts';
import { handlerOf, type JobContext, type JobHandler, type JobKind, jobKind } from '../../jobs/index.ts';
import { retryAfterMs } from '../../slack/platform-errors.ts';
import {
  canAddFiles,
  deleteUpload,
  filesWriteMissing,
  findShare,
  type Share,
  shareUpload,
} from '../../slack/upload.ts';
import { defineCollection } from '../../store/index.ts';
import { fileDeleted, fileNotShown } from './errors.ts';
import type { SlackServices } from './ui-services.ts';

/** A file that was uploaded to Slack. Slack shows it later, after scans, and sometimes never. */
const upload = z.object({
  person: z.string(),
  file: z.string(),
  channel: z.string(),
  threadTs: z.string().optional(),
  /** The job that uploaded the file, or a later job that took over. */
  job: z.string(),
  /** Whether Slack has accepted the share. If not, the next job for the same file shares it. */
  isShared: z.literal(true).optional(),
  /** The message that announces the file. */
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
  /** The texts that replace that message when the file has appeared, or when it is missing. */
  texts: z.object({ arrived: z.string(), missing: z.string() }).optional(),
  /** How many checks haven't found the file. */
  checks: z.number(),
  /** Whether the person was told that the file hasn't appeared. */
  isMissing: z.literal(true).optional(),
});
export type Upload = z.infer<typeof upload>;

const uploadTtlMs = 86_400_000;

export const pendingUploads = defineCollection('upload', upload);

export type ShareCheckKind = JobKind<{ workspace: string; upload: string }>;
export const shareCheckKind = (name: string): ShareCheckKind => jobKind(name, ['workspace', 'upload']);

/** The name of the lock for uploading a file and for checking its share. */
export const uploadLock = (workspace: string, id: string) => `download ${workspace} ${id}`;

/**
 * Shares an uploaded file, and queues checks until it appears in Slack. Records the file's id first, so that a crash
 * doesn't lead to a second upload.
 */
export async function shareAndCheck(
  services: SlackServices,
  kind: ShareCheckKind,
  { workspace, id }: { workspace: string; id: string },
  uploaded: Omit<Upload, 'checks' | 'job'>,
  caption: { name: string; comment?: string },
  { step, runId }: JobContext,
): Promise<void> {
  const client = await services.slack.clientOf(workspace);
  const record = { ...uploaded, job: runId, checks: 0 };
  await services.store.collection(pendingUploads).set(workspace, record, { name: id, ttlMs: uploadTtlMs });
  await step('share', () => shareUpload(client, uploaded.file, uploaded, caption));
  await services.store
    .collection(pendingUploads)
    .set(workspace, { ...record, isShared: true }, { name: id, ttlMs: uploadTtlMs });
  await checkLater(services, kind, workspace, id);
}

export async function checkLater(
  { queue, timing }: SlackServices,
  kind: ShareCheckKind,
  workspace: string,
  id: string,
  checks = 0,
): Promise<void> {
  const runAt = new Date(Date.now() + (timing.shareCheckPausesMs[checks] ?? 0));
  await queue.add(kind, { workspace, upload: id }, { key: `${kind.name} ${workspace} ${id}`, runAt });
}

export interface PendingUpload {
  workspace: string;
  id: string;
  upload: Upload;
}

export interface ShareCheck {
  kind: ShareCheckKind;
  arrived(pending: PendingUpload, context: JobContext): Promise<void>;
  missing(pending: PendingUpload, problem: DroplineError, context: JobContext): Promise<void>;
  /** The file's thread was deleted, so Slack showed the file in the channel. Dropline has already deleted it there. */
  misplaced?(pending: PendingUpload, context: JobContext): Promise<void>;
}

/** Checks once whether the file has appeared. The next check is another job, so that no job waits. */
export function shareCheckJob(services: SlackServices, { kind, arrived, missing, misplaced }: ShareCheck): JobHandler {
  const uploads = services.store.collection(pendingUploads);

  async function giveUp(pending: PendingUpload, problem: DroplineError, context: JobContext): Promise<void> {
    const { workspace, id, upload } = pending;
    await missing(pending, problem, context);
    await uploads.set(workspace, { ...upload, isMissing: true }, { name: id, ttlMs: uploadTtlMs });
  }

  async function checkShare(workspace: string, upload: Upload): Promise<Share> {
    const client = await services.slack.filesClientOf(workspace);
    return findShare(client, upload.file, upload).catch((error: unknown) => {
      if (retryAfterMs(error) === undefined) throw error;
      return { state: 'pending' };
    });
  }

  return handlerOf<{ workspace: string; upload: string }>({
    kind,
    run: ({ workspace, upload: id }, context) =>
      services.store.withLock(uploadLock(workspace, id), context.signal, async () => {
        const upload = await uploads.get(workspace, id);
        if (upload === undefined || upload.isMissing === true) return;
        const pending = { workspace, id, upload };
        const client = await services.slack.clientOf(workspace);
        const share = await checkShare(workspace, upload);
        const checks = upload.checks + 1;
        if (share.state === 'misplaced') {
          await deleteUpload(client, upload.file, { channel: upload.channel, ts: share.ts });
          services.log.warn({ workspace, person: upload.person }, 'deleted a file that was shown outside its thread');
          await misplaced?.(pending, context);
          await uploads.delete(workspace, id);
        } else if (share.state === 'pending' && checks < services.timing.shareCheckPausesMs.length) {
          await uploads.set(workspace, { ...upload, checks: checks }, { name: id, ttlMs: uploadTtlMs });
          await checkLater(services, kind, workspace, id, checks);
        } else if (share.state === 'shown') {
          await arrived(pending, context);
          await uploads.delete(workspace, id);
        } else await giveUp(pending, share.state === 'gone' ? fileDeleted() : fileNotShown(), context);
      }),
    async giveUp({ workspace, upload: id }, _, context) {
      const upload = await uploads.get(workspace, id);
      if (upload !== undefined && upload.isMissing !== true)
        await giveUp({ workspace, id, upload }, fileNotShown(), context);
    },
  });
}

/** Throws if the optional scope for files was declined. The error has a link to grant it. */
export async function expectFilePermission(services: SlackServices, workspace: string): Promise<void> {
  if (canAddFiles(await services.slack.botOf(workspace))) return;
  throw new DroplineError('switched-off', filesWriteMissing, { link: permissionLink(services) });
}

/** The link to grant the scope, if an upload failed because the scope was removed after the check. */
export function permissionLinkFor(services: SlackServices, error: unknown): ErrorLink | undefined {
  return isDroplineError(error) && error.message === filesWriteMissing ? permissionLink(services) : undefined;
}

/**
 * The link to grant the scope. Undefined without sign-in or a public URL, because then there is no install page.
 */
function permissionLink({ publicUrl, slack }: SlackServices): ErrorLink | undefined {
  if (publicUrl === undefined || slack.signIn === undefined) return undefined;
  return { text: 'Allow file access', url: `${publicUrl}/slack/install` };
}
