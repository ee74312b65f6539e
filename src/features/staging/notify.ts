import type pg from 'pg';
import { z } from 'zod';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import type { Blocks } from '../../slack/blocks.ts';
import { change, contentOf, post } from '../../slack/messages.ts';
import { sharedThread } from '../../slack/upload.ts';
import { defineCollection, type UpdateOptions } from '../../store/index.ts';
import type { Actor } from '../common/services.ts';
import type { SlackServices } from '../common/slack-services.ts';
import { lookUpFiles } from './operations.ts';
import { changeDraft, type Draft, type DraftNotice, readDraft } from './repository.ts';
import { offerMessage, stagedMessage } from './views.ts';

export const sharedFilesKind = jobKind('files-staged', ['workspace', 'person', 'channel'], { attempts: 3 });

const batch = z.array(z.string());
const fileBatches = defineCollection('staged-batch', batch);

/**
 * Debounces: files that are shared together arrive as one event each, and get one answer after the last event. `within`
 * is a transaction.
 */
export async function notifySharedLater(
  services: SlackServices,
  actor: Actor,
  channel: string,
  file: string,
  within?: pg.ClientBase,
): Promise<void> {
  const { workspace, person } = actor;
  const name = `${person} ${channel}`;
  const runAt = new Date(Date.now() + services.timing.batchMs);
  const inSameTransaction = (client: pg.ClientBase) =>
    services.queue.add(
      sharedFilesKind,
      { workspace, person, channel },
      { key: `files-staged ${workspace} ${name}`, runAt, isDebounced: true, within: client },
    );
  const add = (files: string[]) => [...new Set([...files, file])];
  await changeBatch(services, workspace, name, add, { within, inSameTransaction });
}

async function changeBatch(
  services: SlackServices,
  workspace: string,
  name: string,
  change: (files: string[]) => string[],
  options: Pick<UpdateOptions, 'within' | 'inSameTransaction'> = {},
): Promise<void> {
  const changeOrDelete = (files: string[] = []) => {
    const changed = change(files);
    return changed.length === 0 ? undefined : changed;
  };
  const stored = { name, ttlMs: 3_600_000 };
  await services.store.collection(fileBatches).update(workspace, changeOrDelete, { ...stored, ...options });
}

type NoticeKind = keyof Draft['notices'];

/** Posts a message about the draft, and removes the buttons of the earlier message of the same kind. */
export async function postDraftNotice(
  services: SlackServices,
  actor: Actor,
  kind: NoticeKind,
  channel: string,
  { text, blocks }: { text: string; blocks: Blocks },
  thread?: string,
): Promise<void> {
  const client = await services.slack.clientOf(actor.workspace);
  const location = await post(
    client,
    channel,
    contentOf(text, blocks),
    thread === undefined ? thread : { thread_ts: thread },
  );
  let earlier: DraftNotice | undefined;
  await changeDraft(services, actor, ({ notices }) => {
    earlier = notices[kind];
    return { notices: { ...notices, [kind]: { ...location, text } } };
  });
  if (earlier !== undefined) await removeButtons(services, actor, earlier);
}

/** Call after sending or removing something: removes buttons that would open an empty form. */
export async function removeStaleButtons(services: SlackServices, actor: Actor): Promise<void> {
  const draft = await readDraft(services, actor);
  for (const kind of ['saved', 'staged'] as const) {
    const notice = draft.notices[kind];
    if (notice === undefined || !isStale[kind](draft)) continue;
    await removeButtons(services, actor, notice);
    await changeDraft(services, actor, ({ notices }) =>
      notices[kind]?.ts === notice.ts ? { notices: { ...notices, [kind]: undefined } } : {},
    );
  }
}

const isStale: Record<NoticeKind, (draft: Draft) => boolean> = {
  saved: ({ recipients, groups, message, expiresAfter, form }) =>
    recipients.length + groups.length === 0 && (message ?? expiresAfter ?? form) === undefined,
  staged: ({ staged }) => staged.length === 0,
};

/** Removes the buttons of a message. A failure is only logged, because the change that made them stale is done. */
async function removeButtons(services: SlackServices, actor: Actor, { text, ...location }: DraftNotice): Promise<void> {
  const remove = async () =>
    change(await services.slack.clientOf(actor.workspace), location, contentOf(text)).then(() => {});
  await remove().catch((error: unknown) =>
    services.log.warn({ ...actor, operation: 'remove buttons', err: error }, 'could not remove stale buttons'),
  );
}

/** Reads names from the draft, and asks Slack only for files that the draft doesn't have. Sorted by name. */
async function readFileNames(
  services: SlackServices,
  workspace: string,
  ids: readonly string[],
  files: Draft['files'],
): Promise<{ id: string; name: string }[]> {
  const storedFiles = files.filter(({ id }) => ids.includes(id));
  const otherIds = ids.filter((id) => !storedFiles.some((file) => file.id === id));
  const lookups = await lookUpFiles(services, workspace, otherIds, { files: [] });
  const lookedUp = lookups.flatMap(({ id, file }) => (file === undefined ? [] : [{ id, name: file.name }]));
  // Slack sends the events in any order, so the ids aren't in the order of sharing.
  return [...storedFiles, ...lookedUp].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function notifyStaged(services: SlackServices, actor: Actor, channel: string, shared: readonly string[]) {
  const draft = await readDraft(services, actor);
  const waiting = shared.filter((file) => draft.staged.includes(file));
  const files = await readFileNames(services, actor.workspace, waiting, draft.files);
  const [first] = files;
  if (first === undefined) return;
  const names = files.map(({ name }) => name);
  const ticked = draft.staged.length - draft.unticked.length;
  const thread = await sharedThread(await services.slack.filesClientOf(actor.workspace), first.id, channel);
  await postDraftNotice(services, actor, 'staged', channel, stagedMessage(names, ticked), thread);
}

/** Asks privately, because files in a channel are mainly for its members. Asks where the files are: in their thread. */
async function offerToSend(
  services: SlackServices,
  actor: Actor,
  channel: string,
  shared: readonly string[],
  markOffered: (files: readonly string[]) => Promise<void>,
) {
  const files = await readFileNames(services, actor.workspace, shared, []);
  const filesClient = await services.slack.filesClientOf(actor.workspace);
  const threads = await Promise.all(files.map(({ id }) => sharedThread(filesClient, id, channel)));
  const client = await services.slack.clientOf(actor.workspace);
  for (const thread of new Set(threads)) {
    const offered = files.filter((_, index) => threads[index] === thread);
    const { text, blocks } = offerMessage(offered);
    const location = { channel, thread_ts: thread };
    await client.chat.postEphemeral({ ...location, user: actor.person, ...contentOf(text, blocks) });
    // At once: if the next post fails, the job must not repeat this one.
    await markOffered(offered.map(({ id }) => id));
  }
}

export function sharedFilesJob(services: SlackServices): JobHandler {
  return handlerOf<{ workspace: string; person: string; channel: string }>({
    kind: sharedFilesKind,
    // Under a lock: the job of a later file would post about this batch too.
    run: ({ workspace, person, channel }, { signal }) =>
      services.store.withLock(`files-staged ${workspace} ${person} ${channel}`, signal, async () => {
        const name = `${person} ${channel}`;
        const files = await services.store.collection(fileBatches).get(workspace, name);
        if (files === undefined) return;
        const removeFromBatch = (removed: readonly string[]) =>
          changeBatch(services, workspace, name, (batched) => batched.filter((file) => !removed.includes(file)));
        const notify = channel.startsWith('D') ? notifyStaged : offerToSend;
        await notify(services, { workspace, person }, channel, files, removeFromBatch);
        // Only after the message was posted: if that fails, the next attempt needs the batch.
        await removeFromBatch(files);
      }),
    // Nothing to undo: files from a direct message are staged already, and in a channel only the offer is lost.
    giveUp: async () => {},
  });
}
