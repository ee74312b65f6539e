import type { Actor, Services } from '../../src/features/common/services.ts';
import { channelHash, saveChannel } from '../../src/features/settings/channels/operations.ts';
import { channelChecks } from '../../src/features/settings/channels/repository.ts';
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
  const { inboxChannels } = await readSettings(services, { workspace: admin.workspace });
  const before = inboxChannels.find((one) => one.channel === channel);
  if (before === undefined) throw new Error(`${channel} is no inbox channel`);
  const seen = channelHash(before);
  return saveChannel(services, admin, { ...before, ...changes }, { replaces: channel, seen });
}

/** Makes the bot treat a channel as checked: no job counts its guests, and no admin is asked about them. */
export async function ignoreGuests({ store }: Services, workspace: string, channel: string): Promise<void> {
  const check = { saves: 0, areGuestsKnown: true, dueAt: Date.now() + 7 * 86_400_000 };
  await store.collection(channelChecks).set(workspace, check, { name: channel });
}
