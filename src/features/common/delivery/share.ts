import { z } from 'zod';
import { handlerOf, type JobContext, type JobHandler, type JobKind, jobKind } from '../../../jobs/index.ts';
import { DroplineError, type ErrorLink, isDroplineError } from '../../../lib/errors.ts';
import { platformErrorOf, retryAfterMs } from '../../../slack/platform-errors.ts';
import {
  canAddFiles,
  deleteUpload,
  filesWriteMissing,
  findShare,
  type Share,
  shareUpload,
} from '../../../slack/upload.ts';
import { defineCollection } from '../../../store/index.ts';
import { fileDeleted, fileNotShown } from '../errors.ts';
import type { SlackServices } from '../slack-services.ts';

/** A file that was uploaded to Slack. Slack shows it later, after scans, and sometimes never. */
const upload = z.object({
  person: z.string(),
  file: z.string(),
  channel: z.string(),
  threadTs: z.string().optional(),
  name: z.string(),
  /** Shown above the file. */
  comment: z.string().optional(),
  /** Whether Slack has accepted the share. If not, Slack might not have got the call, or its answer was lost. */
  isShared: z.literal(true).optional(),
  /** Whether the call to share the file was repeated, which happens once. */
  isRepeated: z.literal(true).optional(),
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
 * Shares an uploaded file once, and queues checks until it appears in Slack. If there is a record already, an earlier
 * attempt stopped during the call to Slack: then only the checks decide whether the file must be shared again.
 */
export async function shareAndCheck(
  services: SlackServices,
  kind: ShareCheckKind,
  { workspace, id }: { workspace: string; id: string },
  uploaded: Omit<Upload, 'checks'>,
  { step }: JobContext,
): Promise<void> {
  const uploads = services.store.collection(pendingUploads);
  const options = { name: id, ttlMs: uploadTtlMs };
  const client = await services.slack.noRetryClientOf(workspace);
  await step('share', async () => {
    if ((await uploads.get(workspace, id)) !== undefined) return;
    const record = { ...uploaded, checks: 0 };
    await uploads.set(workspace, record, options);
    const isShared = await shareUpload(client, record).catch(async (error: unknown) => {
      await uploads.delete(workspace, id);
      throw error;
    });
    if (isShared) await uploads.set(workspace, { ...record, isShared }, options);
  });
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

/**
 * After so many checks, which take eight seconds, Slack would know the file if it had been shared. Right after a share,
 * Slack can report for about a second that there is no such file.
 */
const newFileChecks = 3;

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

  /** Resolves with Slack's refusal, if any. A refusal of an unknown file isn't final: the first call can be late. */
  async function shareAgain({ workspace, id, upload }: PendingUpload): Promise<DroplineError | undefined> {
    const client = await services.slack.noRetryClientOf(workspace);
    const record = (changed: Upload) => uploads.set(workspace, changed, { name: id, ttlMs: uploadTtlMs });
    // Recorded first, so that a crash doesn't repeat the call.
    await record({ ...upload, isRepeated: true });
    try {
      if (await shareUpload(client, upload)) await record({ ...upload, isRepeated: true, isShared: true });
      return undefined;
    } catch (error) {
      if (retryAfterMs(error) !== undefined) {
        // Slack didn't share it, so the next check repeats the call.
        await record(upload);
        return undefined;
      }
      if (!isDroplineError(error)) throw error;
      return platformErrorOf(error.cause) === 'file_not_found' ? undefined : error;
    }
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
        } else if (share.state === 'shown') {
          await arrived(pending, context);
          await uploads.delete(workspace, id);
        } else if (share.state === 'gone') await giveUp(pending, fileDeleted(), context);
        else if (checks >= services.timing.shareCheckPausesMs.length) await giveUp(pending, fileNotShown(), context);
        else {
          const checked = { ...upload, checks };
          await uploads.set(workspace, checked, { name: id, ttlMs: uploadTtlMs });
          const isLost = share.state === 'not-found' && (upload.isShared ?? upload.isRepeated) === undefined;
          const refusal =
            isLost && checks >= newFileChecks ? await shareAgain({ workspace, id, upload: checked }) : undefined;
          if (refusal === undefined) await checkLater(services, kind, workspace, id, checks);
          else await giveUp(pending, refusal, context);
        }
      }),
    async giveUp({ workspace, upload: id }, _, context) {
      const upload = await uploads.get(workspace, id);
      if (upload !== undefined && upload.isMissing !== true)
        await giveUp({ workspace, id, upload }, fileNotShown(), context);
    },
  });
}

/** Throws if the optional scope for files was declined. The error has a link to grant it. */
export async function expectFilePermission(
  services: Pick<SlackServices, 'slack' | 'publicUrl'>,
  workspace: string,
): Promise<void> {
  if (canAddFiles(await services.slack.botOf(workspace))) return;
  throw new DroplineError('switched-off', filesWriteMissing, { link: installLink(services, allowFiles) });
}

/** The link to grant the scope, if an upload failed because the scope was removed after the check. */
export function permissionLinkFor(services: SlackServices, error: unknown): ErrorLink | undefined {
  return isDroplineError(error) && error.message === filesWriteMissing ? installLink(services, allowFiles) : undefined;
}

const allowFiles = 'Allow file access';

/** The page to install the app again. Undefined without sign-in or a public URL, because then there is no such page. */
export function installLink(
  { publicUrl, slack }: Pick<SlackServices, 'slack' | 'publicUrl'>,
  text = 'Install again',
): ErrorLink | undefined {
  return publicUrl === undefined || slack.signIn === undefined
    ? undefined
    : { text, url: `${publicUrl}/slack/install` };
}
