import type { Actor, Services } from '../../common/services.ts';
import { hashOf } from '../changes.ts';
import { channelListed, everythingElseTaken, senderTaken } from '../errors.ts';
import type { InboxChannel } from '../inbox-channels.ts';
import { rewrite, validateSettings } from '../operations.ts';
import type { Settings } from '../repository.ts';
import { inboxChannelChanged, inboxChannelGone } from './errors.ts';

/** Identifies an inbox channel's properties, to find out whether they were changed while a form was open. */
export const channelHash = (channel: InboxChannel): string => hashOf(channel);

export interface SaveOptions {
  /** The inbox channel that the draft replaces, and its hash when the form was opened. Without it, one is added. */
  replaces?: string;
  seen?: string;
  /** A channel's name, for the error that says where a sender is. */
  nameOf?: (channel: string) => Promise<string | undefined>;
}

/** Adds or changes an inbox channel. Throws if another admin has changed it, or if another channel has its senders. */
export function saveChannel(
  services: Services,
  admin: Actor,
  draft: InboxChannel,
  { replaces, seen, nameOf = async () => undefined }: SaveOptions = {},
): Promise<Settings> {
  const othersIn = ({ inboxChannels }: Settings) => inboxChannels.filter(({ channel }) => channel !== replaces);
  return rewrite(
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
