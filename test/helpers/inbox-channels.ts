import type { Actor, Services } from '../../src/features/common/services.ts';
import { channelHash, saveChannel } from '../../src/features/settings/channels/operations.ts';
import { type InboxChannel, inboxChannelSchema } from '../../src/features/settings/inbox-channels.ts';
import { readSettings, type Settings } from '../../src/features/settings/repository.ts';

/** An inbox channel for these senders, or for everything else. */
export const inboxChannel = (channel: string, properties: Partial<InboxChannel> = {}): InboxChannel =>
  inboxChannelSchema.parse({ everythingElse: properties.senders === undefined, ...properties, channel });

/** Changes properties of an inbox channel, as the form does. */
export async function changeInboxChannel(
  services: Services,
  admin: Actor,
  channel: string,
  changes: Partial<InboxChannel>,
): Promise<Settings> {
  const { inboxChannels } = await readSettings(services, admin.workspace);
  const before = inboxChannels.find((one) => one.channel === channel);
  if (before === undefined) throw new Error(`${channel} is no inbox channel`);
  const seen = channelHash(before);
  return saveChannel(services, admin, { ...before, ...changes }, { replaces: channel, seen });
}
