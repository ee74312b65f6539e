import { CannotPostError, type Message } from '../../../slack/posting.ts';
import type { InboxAnnouncer, InboxItem, NewPost, PostLocation } from '../../common/services.ts';
import { channelFor } from '../../settings/inbox-channels.ts';
import { adminsToNotify } from '../../settings/notify.ts';
import { readSettings } from '../../settings/repository.ts';
import { recordAnswers } from '../../transfers/answers/notify.ts';
import type { CardServices } from '../../transfers/shown-kind.ts';
import { withWork } from '../work/checks.ts';
import { createProblemReports } from './problems.ts';
import { type AnnouncerLog, type Check, createReplies, type MessageIn } from './replies.ts';
import { baselineAnnouncement, combinedAnnouncement, itemsAnnouncement } from './views.ts';

/** Posts inbox items in the thread of the request they answer, else in the channel for them, else to an admin. */
export function createAnnouncer(services: CardServices & { log: AnnouncerLog }): InboxAnnouncer {
  const { slack, store, log } = services;
  const { posting } = slack;
  const adminsOf = (workspace: string) => adminsToNotify(slack, store, workspace);
  const problems = createProblemReports({ store, posting, adminsOf });
  const replies = createReplies(services);

  async function adminOf(workspace: string): Promise<string> {
    const [admin] = await adminsOf(workspace);
    if (admin === undefined) throw new CannotPostError('', 'user_not_found');
    return admin;
  }

  /** Posts in the channel or, if none is set, to an admin. If nothing can be posted there, tells who can fix it. */
  async function postInChannel(
    workspace: string,
    channel: string | undefined,
    messageIn: MessageIn,
    check?: Check,
  ): Promise<PostLocation> {
    const destination = channel ?? (await adminOf(workspace));
    try {
      const location = await posting.post(workspace, destination, await messageIn(destination), { check });
      await problems.clear(workspace, destination);
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

  /** Posts in the request's thread if one person asked, otherwise in the channel. If several asked, notifies each. */
  async function announce(
    workspace: string,
    { items, requestMatch: { requests }, channel }: NewPost,
    messageIn: MessageIn,
    check: Check,
  ): Promise<PostLocation> {
    if (requests.length > 0) await check();
    for (const { id } of requests) await recordAnswers(store, id, items);
    const [item] = items;
    // If the same person asked twice, reply to the latest request.
    const [latest] = requests;
    const hasSeveral = requestersOf(requests).length > 1;
    if (hasSeveral && item !== undefined) await replies.notifyAll(workspace, item, requests, check);
    const replied =
      hasSeveral || latest === undefined ? undefined : await replies.reply(workspace, latest, messageIn, check);
    const posted = replied ?? (await postInChannel(workspace, channel, messageIn, check));
    await replies.showAnswered(requests);
    return posted;
  }

  /** Take and Done buttons are shown only in some channels. */
  async function messageOf(
    workspace: string,
    items: readonly InboxItem[],
    { channel, requesters = [], isDigest }: Omit<PostLocation, 'ts'>,
  ): Promise<Message> {
    const settings = await readSettings({ store }, workspace);
    const { expiryUnit: unit } = settings;
    const posts = items.map((item) => ({ item: withWork(settings, item, channel), requesters, unit }));
    return itemsAnnouncement(posts, isDigest);
  }

  return {
    async postItems(workspace, post, check) {
      const { items, requestMatch } = post;
      const requesters = requestersOf(requestMatch.requests);
      const shown = {
        ...(requesters.length > 0 && { requesters }),
        ...(post.isDigest && { isDigest: true as const }),
      };
      const messageIn: MessageIn = (channel) => messageOf(workspace, items, { channel, ...shown });
      return { ...(await announce(workspace, post, messageIn, check)), ...shown };
    },
    async postSummary(workspace, post, leftOut, check) {
      await announce(workspace, post, async () => combinedAnnouncement(post.items, leftOut), check);
    },
    async postBaseline(workspace, count, leftOut) {
      const channel = channelFor(await readSettings({ store }, workspace))?.channel;
      const { connectedBy } = (await store.credentials.get(workspace)) ?? {};
      const message = baselineAnnouncement(count, leftOut, channel === undefined ? undefined : connectedBy);
      await postInChannel(workspace, channel, async () => message);
    },
    async updatePost(workspace, items, location) {
      await posting.change(workspace, location, await messageOf(workspace, items, location));
    },
  };
}

const requestersOf = (requests: NewPost['requestMatch']['requests']): string[] => [
  ...new Set(requests.map(({ person }) => person)),
];
