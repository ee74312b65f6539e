import { z } from 'zod';
import { isDroplineError } from '../../../errors.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import { itemIdOf } from '../../common/ids.ts';
import type { InboxAnnouncer, InboxItem, Location, NewPost, RequestMatch } from '../../common/services.ts';
import type { SlackAccess } from '../../common/ui-services.ts';
import { adminsToNotify } from '../../settings/notify.ts';
import { readSettings } from '../../settings/repository.ts';
import { offerChecklist } from '../../transfers/kinds/request/checklist/notify.ts';
import { recordAnswers, showRequest } from '../../transfers/kinds/request/notify.ts';
import { createReminders } from '../reminders/notify.ts';
import { withWork } from '../work/checks.ts';
import { CannotPostError, createPosting, createProblemReports, type Message } from './posting.ts';
import {
  baselineAnnouncement,
  channelChosenAnnouncement,
  combinedAnnouncement,
  itemsAnnouncement,
  sharedRequestAnnouncement,
} from './views.ts';

/** The message for a channel or person. */
type MessageIn = (channel: string) => Promise<Message>;

/** Called right before a post; rejects if it must not be posted. */
type Check = () => Promise<void>;

export interface AnnouncerLog {
  warn(fields: object, message: string): void;
}

/** Slack allows one message a second per conversation. */
const everyMs = 1_100;

const notifiedReplies = defineCollection('answer-notified', z.literal(true));

/** Posts inbox items in the thread of the request they answer, else in the channel for them, else to an admin. */
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

  async function adminOf(workspace: string): Promise<string> {
    const [admin] = await adminsOf(workspace);
    if (admin === undefined) throw new CannotPostError('', 'user_not_found');
    return admin;
  }

  async function postAt(workspace: string, channel: string, message: Message, check?: Check): Promise<Location> {
    try {
      const location = await posting.post(workspace, channel, message, { check });
      await problems.clear(workspace, channel);
      return location;
    } catch (error) {
      if (error instanceof CannotPostError) {
        // Don't report a channel that an admin has just replaced.
        await check?.();
        log.warn({ workspace, operation: 'announce', problem: error.problem }, 'cannot post in channel');
        await problems.report(workspace, error);
      }
      throw error;
    }
  }

  /** @param channel where the post is, because the Take and Done buttons are shown only in some channels */
  async function messageOf(
    workspace: string,
    items: readonly InboxItem[],
    { requesters, isDigest }: { requesters: readonly string[]; isDigest: boolean },
    channel: string,
  ): Promise<Message> {
    const settings = await readSettings({ store }, workspace);
    const { unit } = settings.expiry;
    const posts = items.map((item) => ({
      item: withWork(settings, { item, location: { channel } }),
      requesters,
      unit,
    }));
    return itemsAnnouncement(posts, isDigest);
  }

  /** Posts in the thread of the request's card, or to the requester. Resolves with undefined if that isn't possible. */
  async function reply(
    workspace: string,
    { person, location }: RequestMatch['requests'][number],
    messageIn: MessageIn,
    check: Check,
  ): Promise<Location | undefined> {
    const channel = location?.channel ?? person;
    try {
      const posted = await posting.post(workspace, channel, await messageIn(channel), {
        threadTs: location?.ts,
        check,
      });
      return location?.ts === undefined ? posted : { ...posted, thread: location.ts };
    } catch (error) {
      if (isDroplineError(error, 'no-channel')) return undefined;
      throw error;
    }
  }

  /** Notifies every requester. A retry skips those who were already notified. */
  async function notifyRequesters(
    workspace: string,
    item: InboxItem,
    requests: RequestMatch['requests'],
    check: Check,
  ): Promise<void> {
    for (const request of requests) {
      const name = `${itemIdOf(item.url)} ${request.id}`;
      if ((await notified.get(workspace, name)) !== undefined) continue;
      const others = requests.filter(({ id }) => id !== request.id).map(({ person }) => person);
      await reply(workspace, request, async () => sharedRequestAnnouncement(item, [...new Set(others)]), check);
      await notified.set(workspace, true, { name, ttlMs: 7 * 86_400_000 });
    }
  }

  /**
   * Shows on the requests' cards who has answered, and offers their checklists. Failures are only logged, so that the
   * item is still announced.
   */
  async function showAnswered(requests: RequestMatch['requests']): Promise<void> {
    const show = async (id: string) => {
      await showRequest(slack, store, id);
      await offerChecklist(slack, store, id);
    };
    for (const { id } of requests) {
      await show(id).catch((error: unknown) =>
        log.warn({ operation: 'announce', request: id, err: error }, 'could not update request card'),
      );
    }
  }

  /** Posts in the request's thread if one person asked, otherwise in the channel. If several asked, notifies each. */
  async function announce(
    workspace: string,
    { items, requestMatch: { requests }, channel }: NewPost,
    messageIn: MessageIn,
    check: Check,
  ): Promise<Location> {
    const requesters = requestersOf(requests);
    const [first] = items;
    if (requests.length > 0) await check();
    for (const { id } of requests) await recordAnswers(store, id, items);
    // If the same person asked twice, reply to the latest request.
    const [latest] = requests;
    const isReply = latest !== undefined && requesters.length === 1;
    if (requesters.length > 1 && first !== undefined) await notifyRequesters(workspace, first, requests, check);
    const replied = isReply ? await reply(workspace, latest, messageIn, check) : undefined;
    const postInChannel = async () => {
      const destination = channel ?? (await adminOf(workspace));
      return postAt(workspace, destination, await messageIn(destination), check);
    };
    const location = replied ?? (await postInChannel());
    await showAnswered(requests);
    return requesters.length === 0 ? location : { ...location, asked: requesters.join(' ') };
  }

  return {
    async postItems(workspace, post, check) {
      const { items, requestMatch, isDigest } = post;
      const options = { requesters: requestersOf(requestMatch.requests), isDigest };
      const messageIn = (channel: string) => messageOf(workspace, items, options, channel);
      const location = await announce(workspace, post, messageIn, check);
      return isDigest ? { ...location, digest: 'yes' } : location;
    },
    postSummary: (workspace, post, leftOut, check) =>
      announce(workspace, post, async () => combinedAnnouncement(post.items, leftOut), check),
    async postChannelChosen(workspace, channel, person) {
      try {
        await posting.post(workspace, channel, channelChosenAnnouncement(person));
      } catch (error) {
        // If nothing can be posted there, an admin is notified when the first files arrive.
        if (!(error instanceof CannotPostError)) throw error;
      }
    },
    async postBaseline(workspace, count, leftOut) {
      const { inboxChannel } = await readSettings({ store }, workspace);
      const { connectedBy } = (await store.credentials.get(workspace)) ?? {};
      const message = baselineAnnouncement(count, leftOut, inboxChannel === undefined ? undefined : connectedBy);
      await postAt(workspace, inboxChannel ?? (await adminOf(workspace)), message);
    },
    async updatePost(workspace, items, location) {
      const requesters = location.asked?.split(' ') ?? [];
      const options = { requesters, isDigest: location.digest !== undefined };
      const message = await messageOf(workspace, items, options, location.channel ?? '');
      await posting.change(workspace, location, message);
    },
    remind: createReminders(posting, store),
  };
}

const requestersOf = (requests: RequestMatch['requests']): string[] => [
  ...new Set(requests.map(({ person }) => person)),
];
