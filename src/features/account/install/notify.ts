import { z } from 'zod';
import { type Content, change, contentOf, type MessageLocation } from '../../../slack/messages.ts';
import { defineCollection } from '../../../store/index.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { greeting } from '../../home/views.ts';

const messages = defineCollection('welcome-message', z.array(z.object({ channel: z.string(), ts: z.string() })));
const messagesTtlMs = 365 * 86_400_000;

/** Only the latest messages are stored; older ones keep their Connect button. */
const maxMessages = 20;

/** Stores where a message with a Connect button is, to remove the button when the workspace is connected. */
export async function storeConnectMessage(
  { store }: SlackServices,
  workspace: string,
  { channel, ts }: MessageLocation,
): Promise<void> {
  const add = (locations: MessageLocation[] = []) =>
    [...locations.filter((other) => other.ts !== ts), { channel, ts }].slice(-maxMessages);
  await store.collection(messages).update(workspace, add, { ttlMs: messagesTtlMs });
}

export const connectedWelcome = (): Content =>
  contentOf(`${greeting} This workspace is connected to your file service.`);

/** Removes the Connect button from greetings. Failures are only logged, because the workspace is already connected. */
export async function removeConnectButtons(services: SlackServices, workspace: string): Promise<void> {
  const remove = async () => {
    const locations = (await services.store.collection(messages).take(workspace)) ?? [];
    if (locations.length === 0) return;
    const client = await services.slack.clientOf(workspace);
    for (const location of locations) await change(client, location, connectedWelcome());
  };
  await remove().catch((error: unknown) =>
    services.log.warn({ workspace, operation: 'connect', err: error }, 'could not remove the Connect button'),
  );
}
