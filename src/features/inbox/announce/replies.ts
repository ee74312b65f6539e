import { z } from 'zod';
import { isDroplineError } from '../../../lib/errors.ts';
import { withDeskName } from '../../../slack/messages.ts';
import type { Message } from '../../../slack/posting.ts';
import { type Desk, defineCollection } from '../../../store/index.ts';
import { itemIdOf } from '../../common/ids.ts';
import type { InboxItem, PostLocation, RequestMatch } from '../../common/services.ts';
import { showTransfer } from '../../transfers/cards/notify.ts';
import { offerChecklist } from '../../transfers/checklist/notify.ts';
import type { CardServices } from '../../transfers/shown-kind.ts';
import { answerElsewhere, sharedRequestAnnouncement } from './views.ts';

/** The message for a channel or person. */
export type MessageIn = (channel: string) => Promise<Message>;

/** Called right before a post; rejects if it must not be posted. */
export type Check = () => Promise<void>;

export interface AnnouncerLog {
  warn(fields: object, message: string): void;
}

type Requests = RequestMatch['requests'];

const notifiedReplies = defineCollection('answer-notified', z.object({ isReached: z.boolean() }));

/** Posts to the people who asked for files. */
export function createReplies(services: CardServices & { log: AnnouncerLog }) {
  const { slack, store, log } = services;
  const notified = store.collection(notifiedReplies);

  /** Posts in the thread of the request's card, or to the requester. Resolves with undefined if that isn't possible. */
  async function reply(
    workspace: string,
    { person, location }: Requests[number],
    messageIn: MessageIn,
    check: Check,
  ): Promise<PostLocation | undefined> {
    const channel = location?.channel ?? person;
    const thread = location?.ts;
    try {
      const message = await messageIn(channel);
      const posted = await slack.posting.post(workspace, channel, message, { threadTs: thread, check });
      return { ...posted, thread };
    } catch (error) {
      if (isDroplineError(error, 'no-channel')) return undefined;
      throw error;
    }
  }

  return {
    reply,
    /**
     * Tells everyone who asked that files have arrived: in a private channel, or for each of several people to find in
     * the inbox. Resolves with the people who were reached, also by an earlier try, which isn't repeated.
     */
    async notifyAll(
      desk: Desk,
      item: InboxItem,
      requests: Requests,
      { channel }: { channel?: string },
      check: Check,
    ): Promise<string[]> {
      const { workspace } = desk;
      const deskName = await store.credentials.nameOf(desk);
      const reached = new Set<string>();
      for (const request of requests) {
        const { id, person } = request;
        const name = `${itemIdOf(item.url)} ${id}`;
        const others = requests.filter((other) => other.id !== id).map((other) => other.person);
        const message =
          channel === undefined
            ? sharedRequestAnnouncement(item, [...new Set(others)])
            : answerElsewhere(item, channel);
        const earlier = await notified.get(workspace, name);
        const isReached =
          earlier?.isReached ??
          (await reply(workspace, request, async () => withDeskName(message, deskName), check)) !== undefined;
        if (isReached) reached.add(person);
        if (earlier === undefined) await notified.set(workspace, { isReached }, { name, ttlMs: 7 * 86_400_000 });
      }
      return [...reached];
    },
    /**
     * Shows on the requests' cards who has answered, and offers their checklists. Failures are only logged, because the
     * item has been announced.
     */
    async showAnswered(requests: Requests): Promise<void> {
      for (const { id } of requests) {
        try {
          await showTransfer(services, id);
          await offerChecklist(services, id);
        } catch (error) {
          log.warn({ operation: 'announce', request: id, err: error }, 'could not update request card');
        }
      }
    },
  };
}
