import { z } from 'zod';
import { isDroplineError } from '../../../errors.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import { itemIdOf } from '../../common/ids.ts';
import type { InboxAnnouncer, InboxItem, Location, RequestMatch } from '../../common/services.ts';
import type { SlackAccess } from '../../common/ui-services.ts';
import { adminsToNotify } from '../../settings/notify.ts';
import { readSettings } from '../../settings/repository.ts';
import { recordAnswers, showRequest } from '../../transfers/kinds/request/notify.ts';
import { routeFor } from './jobs.ts';
import { createPosting, createProblemReports, type Message, NoChannelError } from './posting.ts';
import {
  baselineAnnouncement,
  chosenAnnouncement,
  itemAnnouncement,
  manyAnnouncement,
  severalAnnouncement,
} from './views.ts';

export interface AnnouncerLog {
  warn(fields: object, message: string): void;
}

/** Slack allows one message a second per conversation. */
const everyMs = 1_100;

const notifiedReplies = defineCollection('reply-told', z.literal(true));

/** Posts inbox items in the channel set for their sender, else in the inbox channel, else to an admin. */
export function createAnnouncer(
  slack: SlackAccess,
  store: Store,
  log: AnnouncerLog,
  options = { everyMs },
): InboxAnnouncer {
  const posting = createPosting({ slack, ...options });
  const adminsOf = (workspace: string) => adminsToNotify(slack, store, workspace);
  const problems = createProblemReports({ store, posting, adminsOf });
  const notified = store.collection(notifiedReplies);

  async function channelFor(workspace: string, sender: string | undefined): Promise<string> {
    const { routes, inboxChannel } = await readSettings({ store }, workspace);
    const channel = routeFor(routes, sender) ?? inboxChannel ?? (await adminsOf(workspace))[0];
    if (channel === undefined) throw new NoChannelError('', 'user_not_found');
    return channel;
  }

  async function postAt(workspace: string, channel: string, message: Message): Promise<Location> {
    try {
      const location = await posting.post(workspace, channel, message);
      await problems.resolved(workspace, channel);
      return location;
    } catch (error) {
      if (error instanceof NoChannelError) {
        log.warn({ workspace, operation: 'announce', trouble: error.problem }, 'cannot post in channel');
        await problems.report(workspace, error);
      }
      throw error;
    }
  }

  const messageOf = async (workspace: string, item: InboxItem, requesters: readonly string[]): Promise<Message> =>
    itemAnnouncement({ item, requesters, unit: (await readSettings({ store }, workspace)).ttl.unit });

  /** Posts in the thread of the request's card. Resolves with undefined if the requester can't be reached. */
  async function reply(
    workspace: string,
    { person, location }: RequestMatch['requests'][number],
    message: Message,
  ): Promise<Location | undefined> {
    try {
      const posted = await posting.post(workspace, location?.channel ?? person, message, location?.ts);
      return location?.ts === undefined ? posted : { ...posted, thread: location.ts };
    } catch (error) {
      if (isDroplineError(error, 'no-place')) return undefined;
      throw error;
    }
  }

  /** Notifies every requester. A retry skips those who were already notified. */
  async function notifySeveral(workspace: string, item: InboxItem, requests: RequestMatch['requests']): Promise<void> {
    for (const request of requests) {
      const name = `${itemIdOf(item.url)} ${request.id}`;
      if ((await notified.get(workspace, name)) !== undefined) continue;
      const others = requests.filter(({ id }) => id !== request.id).map(({ person }) => person);
      await reply(workspace, request, severalAnnouncement(item, [...new Set(others)]));
      await notified.set(workspace, true, { name, ttlMs: 7 * 86_400_000 });
    }
  }

  /** Shows on the requests' cards who has answered. Failures are only logged, so that the item is still announced. */
  async function showAnswered(requests: RequestMatch['requests']): Promise<void> {
    for (const { id } of requests) {
      await showRequest(slack, store, id).catch((error: unknown) =>
        log.warn({ operation: 'announce', request: id, err: error }, 'could not update request card'),
      );
    }
  }

  /** Posts in the request's thread if one person asked, otherwise in the channel for items of this sender. */
  async function announce(
    workspace: string,
    items: readonly InboxItem[],
    { requests }: RequestMatch,
    message: Message,
  ): Promise<Location> {
    const requesters = requestersOf(requests);
    const [first] = items;
    for (const { id } of requests) await recordAnswers(store, id, items);
    // If the same person asked twice, reply to the latest request.
    const [latest] = requests;
    const isReply = latest !== undefined && requesters.length === 1;
    if (requesters.length > 1 && first !== undefined) await notifySeveral(workspace, first, requests);
    const replied = isReply ? await reply(workspace, latest, message) : undefined;
    const location = replied ?? (await postAt(workspace, await channelFor(workspace, first?.sender), message));
    await showAnswered(requests);
    return requesters.length === 0 ? location : { ...location, asked: requesters.join(' ') };
  }

  return {
    async item(workspace, item, requestMatch) {
      const message = await messageOf(workspace, item, requestersOf(requestMatch.requests));
      return announce(workspace, [item], requestMatch, message);
    },
    many: (workspace, items, requestMatch, leftOut) =>
      announce(workspace, items, requestMatch, manyAnnouncement(items, leftOut)),
    async chosen(workspace, channel, person) {
      try {
        await posting.post(workspace, channel, chosenAnnouncement(person));
      } catch (error) {
        // If nothing can be posted there, an admin is notified when the first files arrive.
        if (!(error instanceof NoChannelError)) throw error;
      }
    },
    async baseline(workspace, items, leftOut) {
      await postAt(workspace, await channelFor(workspace, undefined), baselineAnnouncement(items, leftOut));
    },
    async changed(workspace, item, location) {
      const requesters = location.asked?.split(' ') ?? [];
      await posting.change(workspace, location, await messageOf(workspace, item, requesters));
    },
  };
}

const requestersOf = (requests: RequestMatch['requests']): string[] => [
  ...new Set(requests.map(({ person }) => person)),
];
