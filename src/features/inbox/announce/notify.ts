import { withDeskName } from '../../../slack/messages.ts';
import { CannotPostError, type Message } from '../../../slack/posting.ts';
import type { Desk } from '../../../store/index.ts';
import type { Announced, InboxAnnouncer, InboxItem, NewPost, PostLocation } from '../../common/services.ts';
import { adminsToNotify } from '../../settings/admins/notify.ts';
import { channelFor } from '../../settings/inbox-channels.ts';
import { deskMembers } from '../../settings/membership.ts';
import { adminsOnly } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';
import { recordAnswers } from '../../transfers/answers/notify.ts';
import type { CardServices } from '../../transfers/shown-kind.ts';
import { isShownBy } from '../items/operations.ts';
import { seesAnswers } from '../items/permission.ts';
import { withWork } from '../work/checks.ts';
import { createProblemReports } from './problems.ts';
import { type AnnouncerLog, type Check, createReplies, type MessageIn } from './replies.ts';
import { baselineAnnouncement, combinedAnnouncement, itemsAnnouncement, movedAnnouncement } from './views.ts';

/** Posts inbox items in their private channel, in the thread of the request they answer, in a public channel, or to an admin. */
export function createAnnouncer(services: CardServices & { log: AnnouncerLog }): InboxAnnouncer {
  const { slack, store, log } = services;
  const { posting } = slack;
  const adminsOf = (desk: Desk) => adminsToNotify(slack, store, desk);
  const problems = createProblemReports({ store, posting, adminsOf });
  const replies = createReplies(services);

  const named = async (desk: Desk, message: Message): Promise<Message> =>
    withDeskName(message, await store.credentials.nameOf(desk));

  async function adminOf(desk: Desk): Promise<string> {
    const [admin] = await adminsOf(desk);
    if (admin === undefined) throw new CannotPostError('', 'user_not_found');
    return admin;
  }

  /** Posts in the channel or, if none is set, to an admin. If nothing can be posted there, tells who can fix it. */
  async function postInChannel(
    desk: Required<Desk>,
    channel: string | undefined,
    messageIn: MessageIn,
    check?: Check,
  ): Promise<PostLocation> {
    const { workspace } = desk;
    const destination = channel ?? (await adminOf(desk));
    try {
      const location = await posting.post(workspace, destination, await messageIn(destination), { check });
      await problems.clear(workspace, destination);
      return location;
    } catch (error) {
      if (error instanceof CannotPostError) {
        // Don't report a channel that an admin has just replaced.
        await check?.();
        log.warn({ workspace, operation: 'announce', problem: error.problem }, 'cannot post in channel');
        await problems.report(desk, error);
      }
      throw error;
    }
  }

  /**
   * Posts in a private channel; else in the thread of the request that was answered; else in the public channel. If
   * several people asked, each of them is told.
   */
  async function announce(
    desk: Required<Desk>,
    post: NewPost,
    messageOf: (belongsTo: readonly string[]) => MessageIn,
    check: Check,
  ): Promise<Announced> {
    const { items, requestMatch, channel, isPrivate } = post;
    const members = await deskMembers({ store, people: slack.people }, desk, await readSettings({ store }, desk));
    const requests = requestMatch.requests.filter(({ person }) => members?.has(person) ?? true);
    if (requests.length > 0) await check();
    const seen = isPrivate ? [] : await seenByRequester(desk, requests);
    for (const request of requests) {
      const isSeen = seen.includes(request);
      await recordAnswers(store, request.id, items, { isSeen, channel: isPrivate ? channel : undefined });
    }
    const [item] = items;
    const announced =
      (item && (await answer(desk, item, seen, messageOf, check))) ??
      (await postForChannel(desk, channel, messageOf, check));
    if (isPrivate && item !== undefined) await replies.notifyAll(desk, item, requests, { channel }, check);
    await replies.showAnswered(requests);
    return announced;
  }

  async function postForChannel(
    desk: Required<Desk>,
    channel: string | undefined,
    messageOf: (belongsTo: readonly string[]) => MessageIn,
    check: Check,
  ): Promise<Announced> {
    const belongsTo = [channel ?? adminsOnly];
    return { location: await postInChannel(desk, channel, messageOf(belongsTo), check), belongsTo };
  }

  /** Leaves out people who have left or can't download files: what they asked for goes to the channel. */
  async function seenByRequester(desk: Required<Desk>, requests: Requests): Promise<Requests> {
    const seen: Requests = [];
    for (const request of requests)
      if (await seesAnswers({ store, people: slack.people }, { ...desk, person: request.person })) seen.push(request);
    return seen;
  }

  /** Undefined if there are no requests, or nobody who made them can be reached. */
  async function answer(
    desk: Required<Desk>,
    item: InboxItem,
    requests: Requests,
    messageOf: (belongsTo: readonly string[]) => MessageIn,
    check: Check,
  ): Promise<Announced | undefined> {
    // If the same person asked twice, reply to the latest request.
    const [latest] = requests;
    if (latest === undefined) return undefined;
    if (requestersOf(requests).length > 1) {
      const belongsTo = await replies.notifyAll(desk, item, requests, {}, check);
      return belongsTo.length === 0 ? undefined : { belongsTo };
    }
    const belongsTo = [latest.person];
    const location = await replies.reply(desk.workspace, latest, messageOf(belongsTo), check);
    return location && { location, belongsTo };
  }

  /** Take and Done buttons are shown only in some channels. */
  async function messageOf(
    desk: Required<Desk>,
    items: readonly InboxItem[],
    { requesters = [], isDigest }: Pick<PostLocation, 'requesters' | 'isDigest'>,
  ): Promise<Message> {
    const settings = await readSettings({ store }, desk);
    const { expiryUnit: unit } = settings;
    const posts = items.map((item) => ({ item: withWork(settings, item), requesters, unit }));
    return named(desk, itemsAnnouncement(posts, isDigest));
  }

  return {
    async postItems(desk, post, check) {
      const { items, requestMatch } = post;
      const requesters = requestersOf(requestMatch.requests);
      const shown = {
        ...(requesters.length > 0 && { requesters }),
        ...(post.isDigest && { isDigest: true as const }),
      };
      const messageFor = (belongsTo: readonly string[]) => () =>
        messageOf(
          desk,
          items.map((item) => ({ ...item, belongsTo })),
          shown,
        );
      const { location, belongsTo } = await announce(desk, post, messageFor, check);
      return { location: location && { ...location, ...shown }, belongsTo };
    },
    postSummary: (desk, post, leftOut, check) =>
      announce(desk, post, () => () => named(desk, combinedAnnouncement(post, leftOut)), check),
    async postBaseline(desk, count, leftOut) {
      const channel = channelFor(await readSettings({ store }, desk))?.channel;
      const { connectedBy } = (await store.credentials.get(desk)) ?? {};
      const message = baselineAnnouncement(count, leftOut, channel === undefined ? undefined : connectedBy);
      await postInChannel(desk, channel, () => named(desk, message));
    },
    async updatePost(desk, items, location) {
      const shown = items.filter((item) => isShownBy(location, item));
      const message = shown.length === 0 ? movedAnnouncement() : await messageOf(desk, shown, location);
      await posting.change(desk.workspace, location, message);
    },
  };
}

type Requests = NewPost['requestMatch']['requests'];

const requestersOf = (requests: Requests): string[] => [...new Set(requests.map(({ person }) => person))];
