import { handlerOf, type JobContext, type JobHandler } from '../../../jobs/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import type { Services } from '../../common/services.ts';
import { channelIds } from '../inbox-channels.ts';
import { checkChannelsKind, queueChannelChecks } from '../jobs.ts';
import { readSettings } from '../repository.ts';
import { problemOf } from './operations.ts';
import { type CheckProgress, channelChecks, channelChecksIn } from './repository.ts';

const dayMs = 86_400_000;
const retryMs = 3_600_000;

/** Queues the checks of all workspaces with inbox channels, at random times within the hour. */
export async function queueDailyChecks(services: Services): Promise<number> {
  const workspaces = await services.store.collection(channelChecks).listOwners();
  for (const workspace of workspaces)
    await queueChannelChecks(services, workspace, { afterMs: Math.random() * services.timing.reminderSpreadMs });
  return workspaces.length;
}

/**
 * Checks the inbox channels of a workspace that are due: once a day, and after they were saved. Makes a limited number
 * of calls and leaves the rest to a later job, so that Slack's limits are left to what people wait for.
 */
export function checkChannelsJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string }>({
    kind: checkChannelsKind,
    async run({ workspace }, context) {
      const { channelCheckMs } = services.timing;
      const checks = channelChecksIn(services.store, workspace);
      const channels = channelIds(await readSettings(services, workspace));
      const stored = await checks.list();
      for (const channel of stored.keys()) if (!channels.includes(channel)) await checks.delete(channel);
      const due = channels.filter((channel) => (stored.get(channel)?.dueAt ?? 0) <= Date.now());
      if (due.length === 0) return;
      const waitMs = await checks.startRun(channelCheckMs);
      if (waitMs > 0) return queueChannelChecks(services, workspace, { afterMs: waitMs });
      const budget = { calls: bounds.channelCheckCalls, starts: bounds.channelChecksStarted };
      let hasRest = false;
      for (const channel of due) {
        await context.check();
        const isDone = await checkChannel(services, { workspace, channel }, budget, context).catch(
          // A channel that can't be checked doesn't keep the others from it.
          async (error: unknown) => {
            services.log.warn({ workspace, channel, operation: 'settings', err: error }, 'inbox channel not checked');
            const retry = { dueAt: Date.now() + retryMs, progress: undefined };
            await checks.record(channel, await checks.get(channel), retry);
            return true;
          },
        );
        if (!isDone) hasRest = true;
      }
      if (hasRest) await queueChannelChecks(services, workspace, { afterMs: channelCheckMs });
    },
    async giveUp({ workspace }, error) {
      // The hourly sweep queues the next job.
      services.log.warn({ workspace, operation: 'settings', err: error }, 'inbox channels not checked');
    },
  });
}

/** The Slack calls and the new channels that are left to a job. */
interface Budget {
  calls: number;
  starts: number;
}

/** Checks a channel with the calls that are left. Resolves with false if it needs more. */
async function checkChannel(
  services: Services,
  { workspace, channel }: { workspace: string; channel: string },
  budget: Budget,
  { step }: JobContext,
): Promise<boolean> {
  const checks = channelChecksIn(services.store, workspace);
  const before = await checks.get(channel);
  const progress = before.progress ?? (await startCheck(services, workspace, channel, budget));
  if (progress === undefined) return false;
  const batch = (progress.members ?? []).slice(0, budget.calls);
  budget.calls -= batch.length;
  const areGuests = await Promise.all(batch.map((person) => services.people.isGuest({ workspace, person })));
  const guests = progress.guests + areGuests.filter(Boolean).length;
  const members = progress.members?.slice(batch.length);
  const at = Date.now();
  if (members !== undefined && members.length > 0) {
    await checks.record(channel, before, { progress: { ...progress, guests, members } });
    return false;
  }
  const wasPrivate = before.wasPrivate ?? progress.isPrivate;
  if (guests > 0 && !before.areGuestsKnown)
    await step(`guests ${channel}`, () => notifyOfGuests(services, workspace, before.savedBy, channel, guests));
  const problem = problemOf(progress, wasPrivate);
  const result = { at, problem, guests: members === undefined ? undefined : guests };
  const next = { dueAt: at + dayMs, progress: undefined };
  await checks.record(channel, before, { ...next, result, wasPrivate, areGuestsKnown: guests > 0 });
  return true;
}

/** Reads a channel's state and members. Resolves with undefined if too few calls are left. */
async function startCheck(
  { people }: Services,
  workspace: string,
  channel: string,
  budget: Budget,
): Promise<CheckProgress | undefined> {
  if (budget.starts === 0 || budget.calls < 2) return undefined;
  budget.starts -= 1;
  budget.calls -= 2;
  const { problem, isPrivate } = await people.channelState(workspace, channel);
  const isVisible = problem === undefined || problem === 'shared';
  const members = isVisible ? await people.everyoneIn(workspace, channel, bounds.channelMembersChecked) : [];
  return { problem, isPrivate, guests: 0, members };
}

/** Notifies the admin who saved the channel, or who connected the workspace. */
async function notifyOfGuests(
  { store, notifier }: Services,
  workspace: string,
  savedBy: string | undefined,
  channel: string,
  guests: number,
): Promise<void> {
  const person = savedBy ?? (await store.credentials.get(workspace))?.connectedBy;
  if (person !== undefined) await notifier.guestsFound({ workspace, person }, channel, guests);
}
