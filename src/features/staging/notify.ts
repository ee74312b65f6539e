import { z } from 'zod';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { contentOf, post } from '../../slack/messages.ts';
import { defineCollection } from '../../store/index.ts';
import type { Actor } from '../common/services.ts';
import type { SlackServices } from '../common/ui-services.ts';
import { lookUpFiles } from './operations.ts';
import { type Draft, readDraft } from './repository.ts';
import { stagedMessage } from './views.ts';

export const stagedNoticeKind = jobKind('tray-told', ['workspace', 'person', 'channel'], { attempts: 3 });

const batch = z.array(z.string());
const fileBatches = defineCollection('tray-batch', batch);

/** Debounces: files that are shared together come as one event each, and get one answer after the last event. */
export async function notifyStagedLater(
  services: SlackServices,
  actor: Actor,
  channel: string,
  file: string,
): Promise<void> {
  const { workspace, person } = actor;
  const name = `${person} ${channel}`;
  await changeBatch(services, workspace, name, (files) => [...new Set([...files, file])]);
  const runAt = new Date(Date.now() + services.timing.batchMs);
  await services.queue.add(
    stagedNoticeKind,
    { workspace, person, channel },
    { key: `tray ${workspace} ${name}`, runAt },
  );
}

async function changeBatch(
  services: SlackServices,
  workspace: string,
  name: string,
  change: (files: string[]) => string[],
): Promise<void> {
  const changed = (files: string[] = []) => {
    const next = change(files);
    return next.length === 0 ? undefined : next;
  };
  await services.store.collection(fileBatches).update(workspace, changed, { name, ttlMs: 3_600_000 });
}

/** Reads names from the draft, and asks Slack only for files that the draft doesn't have. */
async function namesOf(
  services: SlackServices,
  workspace: string,
  ids: readonly string[],
  { files }: Draft,
): Promise<string[]> {
  const known = files.filter(({ id }) => ids.includes(id));
  const others = ids.filter((id) => !known.some((file) => file.id === id));
  const found = await lookUpFiles(services, workspace, others, { files: [] });
  return [...known, ...found.flatMap(({ file }) => file ?? [])].map(({ name }) => name);
}

export function stagedNoticeJob(services: SlackServices): JobHandler {
  return handlerOf<{ workspace: string; person: string; channel: string }>({
    kind: stagedNoticeKind,
    async run({ workspace, person, channel }) {
      const name = `${person} ${channel}`;
      const files = await services.store.collection(fileBatches).get(workspace, name);
      if (files === undefined) return;
      const draft = await readDraft(services, { workspace, person });
      // Sorted, because Slack sends the events in any order.
      const names = (await namesOf(services, workspace, files, draft)).sort();
      if (names.length > 0) {
        const { tray: staged } = draft;
        const { text, blocks } = stagedMessage(names, staged.length);
        const client = await services.slack.clientOf(workspace);
        const content = contentOf(text, blocks);
        if (channel.startsWith('D')) await post(client, channel, content);
        else await client.chat.postEphemeral({ channel, ...content, user: person });
      }
      // Only after the message was posted: if that fails, the next attempt needs the batch.
      await changeBatch(services, workspace, name, (batched) => batched.filter((file) => !files.includes(file)));
    },
    // The files are staged even if the message couldn't be posted.
    giveUp: async () => {},
  });
}
