import { z } from 'zod';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { contentOf, post } from '../../slack/messages.ts';
import { defineCollection } from '../../store/index.ts';
import { type Draft, readDraft } from '../draft.ts';
import type { Actor } from '../services.ts';
import type { SlackServices } from '../ui-services.ts';
import { lookAtFiles } from './operations.ts';
import { stagedMessage } from './views.ts';

export const stagedNotice = jobKind('tray-told', ['workspace', 'person', 'channel'], { attempts: 3 });

const batch = z.array(z.string());
const fileBatches = defineCollection('tray-batch', batch);

/** Files that are shared together come one event each: they are answered together, a moment after the last. */
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
  await services.queue.add(stagedNotice, { workspace, person, channel }, { key: `tray ${workspace} ${name}`, runAt });
}

async function changeBatch(
  services: SlackServices,
  workspace: string,
  name: string,
  change: (files: string[]) => string[],
): Promise<void> {
  const batches = services.store.collection(fileBatches);
  await services.store.withLock(`tray ${workspace} ${name}`, AbortSignal.timeout(10_000), async () => {
    const files = change((await batches.get(workspace, name)) ?? []);
    if (files.length === 0) await batches.delete(workspace, name);
    else await batches.set(workspace, files, { name, ttlMs: 3_600_000 });
  });
}

/** Of those that were looked at when they came, Slack isn't asked again. */
async function namesOf(
  services: SlackServices,
  workspace: string,
  ids: readonly string[],
  { files }: Draft,
): Promise<string[]> {
  const known = files.filter(({ id }) => ids.includes(id));
  const others = ids.filter((id) => !known.some((file) => file.id === id));
  const found = await lookAtFiles(services, workspace, others, { files: [] });
  return [...known, ...found.flatMap(({ file }) => file ?? [])].map(({ name }) => name);
}

export function stagedNoticeJob(services: SlackServices): JobHandler {
  return handlerOf<{ workspace: string; person: string; channel: string }>({
    kind: stagedNotice,
    async run({ workspace, person, channel }) {
      const name = `${person} ${channel}`;
      const files = await services.store.collection(fileBatches).get(workspace, name);
      if (files === undefined) return;
      const draft = await readDraft(services, { workspace, person });
      // Slack tells of them in any order.
      const names = (await namesOf(services, workspace, files, draft)).sort();
      if (names.length > 0) {
        const { tray: staged } = draft;
        const { text, blocks } = stagedMessage(names, staged.length);
        const client = await services.slack.clientOf(workspace);
        const content = contentOf(text, blocks);
        if (channel.startsWith('D')) await post(client, channel, content);
        else await client.chat.postEphemeral({ channel, ...content, user: person });
      }
      // Not before it was said: what Slack does not take now is said by the next try.
      await changeBatch(services, workspace, name, (now) => now.filter((file) => !files.includes(file)));
    },
    // The files are in the tray, whether that was said or not.
    giveUp: async () => {},
  });
}
