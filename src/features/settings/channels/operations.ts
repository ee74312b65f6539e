import { setTimeout as sleep } from 'node:timers/promises';
import { bounds } from '../../../lib/bounds.ts';
import { deskOf } from '../../common/connection.ts';
import type { Actor, ChannelState, Services } from '../../common/services.ts';
import { hashOf } from '../changes.ts';
import { channelListed, everythingElseTaken, senderTaken } from '../errors.ts';
import type { InboxChannel } from '../inbox-channels.ts';
import { queueChannelChecks } from '../jobs.ts';
import { rewrite, validateSettings } from '../operations.ts';
import type { Settings } from '../repository.ts';
import { inboxChannelChanged, inboxChannelGone } from './errors.ts';
import { type ChannelCheck, type ChannelProblem, type ChannelResult, channelChecksIn } from './repository.ts';

/** Identifies an inbox channel's properties, to find out whether they were changed while a form was open. */
export const channelHash = (channel: InboxChannel): string => hashOf(channel);

export interface SaveOptions {
  /** The inbox channel that the draft replaces, and its hash when the form was opened. Without it, one is added. */
  replaces?: string;
  seen?: string;
  /** A channel's name, for the error that says where a sender is. */
  nameOf?: (channel: string) => Promise<string | undefined>;
  /** Whether the admin knows that the channel has guests. */
  areGuestsKnown?: boolean;
}

/** Adds or changes an inbox channel. Throws if another admin has changed it, or if another channel has its senders. */
export async function saveChannel(
  services: Services,
  admin: Actor,
  draft: InboxChannel,
  { replaces, seen, nameOf = async () => undefined, areGuestsKnown = false }: SaveOptions = {},
): Promise<Settings> {
  const othersIn = ({ inboxChannels }: Settings) => inboxChannels.filter(({ channel }) => channel !== replaces);
  const settings = await rewrite(
    services,
    admin,
    (current) => {
      const { inboxChannels } = current;
      const isReplaced = ({ channel }: InboxChannel) => channel === replaces;
      const before = inboxChannels.find(isReplaced);
      if (replaces === undefined) return validateSettings({ ...current, inboxChannels: [...inboxChannels, draft] });
      if (before === undefined || channelHash(before) !== seen) throw inboxChannelChanged();
      return validateSettings({
        ...current,
        inboxChannels: inboxChannels.map((one) => (isReplaced(one) ? draft : one)),
      });
    },
    (current) => expectFree(othersIn(current), draft, nameOf),
  );
  const { workspace, person } = admin;
  await channelChecksIn(services.store, workspace).save(draft.channel, person, areGuestsKnown);
  await queueChannelChecks(services, await deskOf(services, admin));
  return settings;
}

/** Throws an error that names the channel which has the draft's channel, a sender of it, or everything else. */
async function expectFree(
  others: readonly InboxChannel[],
  { channel, senders, everythingElse }: InboxChannel,
  nameOf: (channel: string) => Promise<string | undefined>,
): Promise<void> {
  if (others.some((other) => other.channel === channel)) throw channelListed(await nameOf(channel));
  for (const other of others) {
    const sender = senders.find((one) => other.senders.includes(one));
    if (sender !== undefined) throw senderTaken(sender, await nameOf(other.channel));
    if (everythingElse && other.everythingElse) throw everythingElseTaken(await nameOf(other.channel));
  }
}

/** Removes an inbox channel. Its senders' items go where the other channels say, or to an admin. */
export function removeChannel(services: Services, admin: Actor, channel: string): Promise<Settings> {
  return rewrite(services, admin, (current) => {
    const inboxChannels = current.inboxChannels.filter((one) => one.channel !== channel);
    if (inboxChannels.length === current.inboxChannels.length) throw inboxChannelGone();
    return { ...current, inboxChannels };
  });
}

/** Resolves with undefined if the work fails or takes longer. */
const tryFor = <T>(ms: number, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work.catch(() => undefined), sleep(ms, undefined, { ref: false })]);

/**
 * The guests of a channel that an admin doesn't know yet, from the last check or as many as can be found while a form
 * waits. The job counts all.
 */
export async function unknownGuests({ store, people }: Services, workspace: string, channel: string): Promise<number> {
  const { areGuestsKnown, result } = await channelChecksIn(store, workspace).get(channel);
  if (areGuestsKnown) return 0;
  if (result?.guests !== undefined) return result.guests;
  const count = async () => {
    const members = (await people.everyoneIn(workspace, channel, bounds.channelMembersChecked)) ?? [];
    const first = members.slice(0, bounds.membersCheckedAtOnce);
    const areGuests = await Promise.all(first.map((person) => people.isGuest({ workspace, person })));
    return areGuests.filter(Boolean).length;
  };
  return (await tryFor(bounds.membersCheckMs, count())) ?? 0;
}

/** `isPrivate`: undefined if that isn't known yet. */
export interface ShownResult extends ChannelResult {
  isPrivate?: boolean;
}

/** The last check of each channel. */
export async function channelResults({ store }: Services, workspace: string): Promise<Map<string, ShownResult>> {
  const checks = await channelChecksIn(store, workspace).list();
  const shownOf = ({ result, wasPrivate }: ChannelCheck) => ({
    ...result,
    isPrivate: wasPrivate && result?.problem !== 'public',
  });
  return new Map([...checks].map(([channel, check]) => [channel, shownOf(check)]));
}

/** Like `channelResults`, with the problems as they are now, at least those of the channels that had one. */
export async function currentChannelResults(
  services: Services,
  workspace: string,
  channels: readonly string[],
): Promise<Map<string, ShownResult>> {
  const checks = await channelChecksIn(services.store, workspace).list();
  const results = await channelResults(services, workspace);
  const rank = (channel: string) => {
    const { at = 0, problem } = results.get(channel) ?? {};
    return problem === undefined ? at : -1;
  };
  const shown = channels.toSorted((a, b) => rank(a) - rank(b)).slice(0, bounds.channelsShownCurrent);
  const read = async (channel: string) => {
    const state = await services.people.channelState(workspace, channel);
    const { wasPrivate, result } = checks.get(channel) ?? {};
    const problem = problemOf(state, wasPrivate);
    results.set(channel, { ...result, problem, isPrivate: state.isPrivate });
  };
  await tryFor(bounds.channelsReadMs, Promise.allSettled(shown.map(read)));
  return results;
}

/** @param wasPrivate whether it was private when it was saved */
export function problemOf({ problem, isPrivate }: ChannelState, wasPrivate = false): ChannelProblem | undefined {
  return problem ?? (wasPrivate && !isPrivate ? 'public' : undefined);
}
