import { handlerOf, type JobContext, type JobHandler } from '../../../jobs/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import type { Desk, DeskIds } from '../../../store/index.ts';
import type { Services } from '../../common/services.ts';
import { channelIds } from '../inbox-channels.ts';
import { checkChannelsKind, queueChannelChecks } from '../jobs.ts';
import { readSettings } from '../repository.ts';
import { problemOf } from './operations.ts';
import { type CheckProgress, channelChecks, channelChecksIn } from './repository.ts';

const dayMs = 86_400_000;
const retryMs = 3_600_000;

/** Queues the checks of all accounts with inbox channels, at random times within the hour. */
export async function queueDailyChecks(services: Services): Promise<number> {
  const { store, timing } = services;
  let queued = 0;
  for (const workspace of await store.collection(channelChecks).listOwners()) {
    for (const account of (await store.credentials.list(workspace)).keys()) {
      await queueChannelChecks(services, { workspace, account }, { afterMs: Math.random() * timing.reminderSpreadMs });
      queued += 1;
    }
  }
  return queued;
}

/**
 * Checks the inbox channels of a workspace that are due: once a day, and after they were saved. Makes a limited number
 * of calls and leaves the rest to a later job, so that Slack's limits are left to what people wait for.
 */
export function checkChannelsJob(services: Services): JobHandler {
  return handlerOf<DeskIds>({
    kind: checkChannelsKind,
    async run(ids, context) {
      const desk = await services.store.credentials.deskWith(ids);
      if (desk === undefined) return;
      const { workspace } = desk;
      const { channelCheckMs } = services.timing;
      const checks = channelChecksIn(services.store, workspace);
      const channels = channelIds(await readSettings(services, desk));
      const stored = await checks.list();
      const known = new Set(await inboxChannelsOf(services, workspace));
      for (const channel of stored.keys()) if (!known.has(channel)) await checks.delete(channel);
      const due = channels.filter((channel) => (stored.get(channel)?.dueAt ?? 0) <= Date.now());
      if (due.length === 0) return;
      const waitMs = await checks.startRun(channelCheckMs);
      if (waitMs > 0) return queueChannelChecks(services, desk, { afterMs: waitMs });
      const budget = { calls: bounds.channelCheckCalls, starts: bounds.channelChecksStarted };
      let hasRest = false;
      for (const channel of due) {
        await context.check();
        const isDone = await checkChannel(services, desk, channel, budget, context).catch(
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
      if (hasRest) await queueChannelChecks(services, desk, { afterMs: channelCheckMs });
    },
    async giveUp({ workspace }, error) {
      // The hourly sweep queues the next job.
      services.log.warn({ workspace, operation: 'settings', err: error }, 'inbox channels not checked');
    },
  });
}

/** The inbox channels of all accounts. */
async function inboxChannelsOf(services: Services, workspace: string): Promise<string[]> {
  const accounts = [...(await services.store.credentials.list(workspace)).keys()];
  const settings = await Promise.all(accounts.map((account) => readSettings(services, { workspace, account })));
  return settings.flatMap(channelIds);
}

/** The Slack calls and the new channels that are left to a job. */
interface Budget {
  calls: number;
  starts: number;
}

/** Checks a channel with the calls that are left. Resolves with false if it needs more. */
async function checkChannel(
  services: Services,
  desk: Required<Desk>,
  channel: string,
  budget: Budget,
  { step }: JobContext,
): Promise<boolean> {
  const { workspace } = desk;
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
    await step(`guests ${channel}`, () => notifyOfGuests(services, desk, before.savedBy, channel, guests));
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
  desk: Required<Desk>,
  savedBy: string | undefined,
  channel: string,
  guests: number,
): Promise<void> {
  const person = savedBy ?? (await store.credentials.get(desk))?.connectedBy;
  if (person !== undefined) await notifier.guestsFound({ workspace: desk.workspace, person }, channel, guests);
}
