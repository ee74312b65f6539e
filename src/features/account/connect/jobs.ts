import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { contentOf, post } from '../../../slack/messages.ts';
import { defineCollection, inTransaction } from '../../../store/index.ts';
import { hasErrorMessage } from '../../common/audited.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { removeConnectButtons } from '../install/notify.ts';
import { connect } from './operations.ts';
import { type ConnectDraft, connectDraft } from './repository.ts';

/** What an admin entered, stored during the test. If the process dies, a job repeats the test and tells the admin. */
const trialSchema = z.object({
  person: z.string(),
  draft: connectDraft,
});
const trialTtlMs = 5 * 60_000;
const fallbackDelayMs = 45_000;

export const connectKind = jobKind('connect', ['workspace', 'trial'], { attempts: 3 });

const trials = defineCollection('connect-draft', trialSchema);

/** Tests and stores a connection. If this process dies, `connectJob` repeats both. */
export async function connectDurably(services: SlackServices, actor: Actor, draft: ConnectDraft): Promise<void> {
  const { workspace, person } = actor;
  const id = randomUUID();
  const stored = trialSchema.parse({ person, draft });
  const runAt = new Date(Date.now() + fallbackDelayMs);
  await inTransaction(services.store.pool, async (within) => {
    await services.store.collection(trials).set(workspace, stored, { name: id, ttlMs: trialTtlMs, within });
    await services.queue.add(connectKind, { workspace, trial: id }, { runAt, within });
  });
  try {
    await connect(services, actor, draft);
  } finally {
    await services.store.collection(trials).delete(workspace, id);
  }
}

/** Whether the process that got the form has connected the desk, and only died before it could say so. */
async function isDeskConnected(
  { store }: SlackServices,
  { workspace, person }: Actor,
  { desk, username }: ConnectDraft,
): Promise<boolean> {
  if (desk === undefined) return false;
  const connected = [...(await store.credentials.list(workspace)).values()];
  return connected.some((one) => one.name === desk && one.username === username && one.connectedBy === person);
}

export function connectJob(services: SlackServices): JobHandler {
  const notify = async ({ workspace, person }: Actor, text: string) => {
    const client = await services.slack.clientOf(workspace);
    await post(client, person, contentOf(text));
  };
  return handlerOf<{ workspace: string; trial: string }>({
    kind: connectKind,
    async run({ workspace, trial: id }) {
      const stored = await services.store.collection(trials).get(workspace, id);
      if (stored === undefined) return; // the normal case: the process that got the form has finished
      const actor = { workspace, person: stored.person };
      try {
        if (!(await isDeskConnected(services, actor, stored.draft))) await connect(services, actor, stored.draft);
        await removeConnectButtons(services, workspace);
        await notify(actor, `Connected to the file service as ${stored.draft.username}.`);
      } catch (error) {
        if (!hasErrorMessage(error)) throw error;
        await notify(actor, `This workspace couldn't be connected to the file service. ${error.message}`);
      }
      await services.store.collection(trials).delete(workspace, id);
    },
    giveUp: async ({ workspace, trial: id }) => {
      await services.store.collection(trials).delete(workspace, id);
    },
  });
}
