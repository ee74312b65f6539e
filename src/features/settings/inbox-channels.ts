import { z } from 'zod';
import { bounds } from '../../lib/bounds.ts';
import { channelListed, everythingElseTaken, senderTaken, sourceMissing } from './errors.ts';

/** How a person gets a file that they download. */
export const deliveries = ['private', 'thread', 'link'] as const;
export type Delivery = (typeof deliveries)[number];

/** A channel for received files: from which senders, how it posts them, and what people can do with them there. */
export const inboxChannelSchema = z.object({
  channel: z.string(),
  /** Addresses and domains, in lower case. */
  senders: z
    .array(z.string())
    .max(bounds.channelSenders, `Too many senders (limit ${bounds.channelSenders}).`)
    .default([]),
  /** Whether it gets the files of all senders that no channel names. */
  everythingElse: z.boolean().default(false),
  /** A post for each item, or one post with everything that arrived in an hour or a day. */
  posts: z.enum(['each', 'hour', 'day']).default('each'),
  /** The hour, in `zone`, of a daily post. */
  hour: z.int().min(0).max(23).default(9),
  zone: z.string().default('UTC'),
  /** Whether posts have Take and Done; see inbox/work. */
  takeAndDone: z.boolean().default(false),
  delivery: z.enum(deliveries).default('private'),
  /** How many days before files expire people are reminded, if no one has downloaded them; 0 for no reminder. */
  reminderDays: z.int().min(0).max(2).default(1),
});

export type InboxChannel = z.infer<typeof inboxChannelSchema>;

interface WithChannels {
  inboxChannels: InboxChannel[];
}

/** The inbox channel of a sender: by address, else by domain, else the one for everything else. */
export function channelFor({ inboxChannels }: WithChannels, sender = ''): InboxChannel | undefined {
  const address = sender.trim().toLowerCase();
  const domain = address.includes('@') ? address.split('@').at(-1) : undefined;
  const naming = (name = '') => inboxChannels.find(({ senders }) => senders.includes(name));
  return naming(address) ?? naming(domain) ?? inboxChannels.find(({ everythingElse }) => everythingElse);
}

/** The ids of the channels in which new files are posted. */
export const channelIds = ({ inboxChannels }: WithChannels): string[] => inboxChannels.map(({ channel }) => channel);

/** The workspace's only inbox channel, if it has exactly one. */
export const onlyChannelIn = (settings: WithChannels): string | undefined => {
  const [only, ...others] = channelIds(settings);
  return others.length === 0 ? only : undefined;
};

/** The inbox channels that a change adds. They are recorded in the audit entry, to find out who chose a channel. */
export function addedInboxChannels(before: WithChannels, after: WithChannels): string[] {
  const existing = channelIds(before);
  return channelIds(after).filter((channel) => !existing.includes(channel));
}

/** Posts everything else in this channel, which is added if it isn't an inbox channel yet. */
export function withEverythingElseIn<T extends WithChannels & { delivery: Delivery }>(settings: T, channel: string): T {
  const before = settings.inboxChannels.find(({ everythingElse }) => everythingElse);
  if (before?.channel === channel) return settings;
  const others = settings.inboxChannels.flatMap((one) => {
    if (one !== before) return [one];
    return one.senders.length === 0 ? [] : [{ ...one, everythingElse: false }];
  });
  const isListed = others.some((one) => one.channel === channel);
  const added = { ...(before ?? newChannel(settings, channel)), channel, senders: [], everythingElse: true };
  const inboxChannels = isListed
    ? others.map((one) => (one.channel === channel ? { ...one, everythingElse: true } : one))
    : [...others, added];
  return { ...settings, inboxChannels };
}

/** A channel as the form suggests it. */
export const newChannel = ({ delivery }: { delivery: Delivery }, channel = ''): InboxChannel =>
  inboxChannelSchema.parse({ channel, delivery });

/** Throws unless each channel has a source, and each channel, sender and everything else is listed once. */
export function expectDistinct({ inboxChannels }: WithChannels): void {
  const senders = inboxChannels.flatMap((one) => one.senders);
  const twice = senders.find((sender, index) => senders.indexOf(sender) !== index);
  if (twice !== undefined) throw senderTaken(twice);
  if (inboxChannels.filter(({ everythingElse }) => everythingElse).length > 1) throw everythingElseTaken();
  const ids = channelIds({ inboxChannels });
  if (new Set(ids).size < ids.length) throw channelListed();
  if (inboxChannels.some((one) => !one.everythingElse && one.senders.length === 0)) throw sourceMissing();
}

/**
 * Replaces a channel's id. An admin can have chosen the channel under its new id before the event came: then the new
 * choice counts, and it gets the senders of the old one.
 */
export function withInboxChannelId(channels: readonly InboxChannel[], from: string, to: string): InboxChannel[] {
  const earlier = channels.find(({ channel }) => channel === from);
  if (earlier === undefined || !channels.some(({ channel }) => channel === to))
    return channels.map((one) => (one === earlier ? { ...one, channel: to } : one));
  const merged = (one: InboxChannel): InboxChannel => ({
    ...one,
    senders: [...new Set([...one.senders, ...earlier.senders])].slice(0, bounds.channelSenders),
    everythingElse: one.everythingElse || earlier.everythingElse,
  });
  return channels.filter((one) => one !== earlier).map((one) => (one.channel === to ? merged(one) : one));
}

/** Which items are posted where and when, as text to compare. */
export const postingText = ({ inboxChannels }: WithChannels): string =>
  JSON.stringify(
    inboxChannels.map(({ channel, senders, everythingElse, posts, hour, zone }) => [
      ...[channel, senders, everythingElse, posts],
      ...(posts === 'day' ? [hour, zone] : []),
    ]),
  );

/** Whether items that wait for an hourly or daily post can be due now, because the channels have changed. */
export function isPostingChanged(before: WithChannels, after: WithChannels): boolean {
  return before.inboxChannels.some(({ posts }) => posts !== 'each') && postingText(before) !== postingText(after);
}

/** Formats an hour as Slack does in English, like “9:00 AM”. */
export const hourText = (hour: number): string => `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`;

export function postsText({ posts, hour, zone }: Pick<InboxChannel, 'posts' | 'hour' | 'zone'>): string {
  if (posts === 'each') return 'every item';
  return posts === 'hour' ? 'hourly' : `daily at ${hourText(hour)} (${zone})`;
}

export const deliveryTexts: Record<Delivery, string> = {
  private: 'in a direct message',
  thread: 'in the thread',
  link: 'as a link',
};

export const remindersText = (days: number) =>
  days === 0 ? 'no reminders' : `reminders ${days === 1 ? '1 day' : `${days} days`} before files expire`;

/** All properties of a channel, for the audit. */
export const channelTexts = (channel: InboxChannel): string[] => [
  ...(channel.senders.length === 0 ? [] : [`senders ${channel.senders.join(', ')}`]),
  ...(channel.everythingElse ? ['everything else'] : []),
  postsText(channel),
  `Take and Done ${channel.takeAndDone ? 'on' : 'off'}`,
  `downloads ${deliveryTexts[channel.delivery]}`,
  remindersText(channel.reminderDays),
];
