import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { isDirect } from '../../../lib/conversations.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { type Desk, type DeskIds, idsOfDesk } from '../../../store/index.ts';
import { connectionOf } from '../../common/connection.ts';
import { itemIdOf } from '../../common/ids.ts';
import type { InboxItem, Services } from '../../common/services.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { expiryOf, secondsPer } from '../../settings/expiry.ts';
import { readSettings, type Settings } from '../../settings/repository.ts';
import { requestsIn } from '../../transfers/answers/repository.ts';
import { transfersIn } from '../../transfers/repository.ts';
import { type FileRequest, isComplete } from '../../transfers/transfer.ts';
import { type PostRun, startPostRun } from '../announce/post-run.ts';
import { announcementsIn } from '../announce/repository.ts';
import { announceQueue } from '../items/jobs.ts';
import { channelOf, isShownBy } from '../items/operations.ts';
import { seesAnswers } from '../items/permission.ts';
import { itemsIn } from '../items/repository.ts';
import { postReminder, type Reminder, type ReminderLocation } from './notify.ts';
import { desksWithExpiring, expiringIn, reminderClaims } from './repository.ts';

const remindKind = jobKind('remind', ['workspace', 'desk'], { slots: 'posting' });

const daySeconds = 86_400;

/** When people are reminded of requests, and of items without an inbox channel. */
const usualDays = 1;

/**
 * Queues a job for each account that could need reminders. The jobs run at random times, so that not all post
 * at once. Resolves with the number of jobs.
 */
export async function queueReminders(services: Services): Promise<number> {
  const { store, timing } = services;
  const desks = new Map<string, Required<Desk>>();
  const expiring = [...(await desksWithExpiring(store)), ...(await requestsIn(store).desksWithExpiring())];
  for (const desk of expiring) desks.set(announceQueue(desk), desk);
  for (const desk of desks.values()) await queueReminder(services, desk, Math.random() * timing.reminderSpreadMs);
  return desks.size;
}

/**
 * Queues a job in the announcer's queue, because both post in the same channels, where Slack allows one message a
 * second.
 */
async function queueReminder({ queue }: Services, desk: Required<Desk>, afterMs: number): Promise<void> {
  const name = announceQueue(desk);
  const options = { queue: name, key: `${name} remind`, runAt: new Date(Date.now() + afterMs) };
  await queue.add(remindKind, idsOfDesk(desk), options);
}

/** Reminds people of what expires soon. A job that runs twice, even at the same time, sends nothing twice. */
export function remindJob(services: SlackServices): JobHandler {
  return handlerOf<DeskIds>({
    kind: remindKind,
    async run(ids, { check }) {
      const desk = await services.store.credentials.deskWith(ids);
      if (desk === undefined) return;
      try {
        await connectionOf(services, desk);
        const settings = await readSettings(services, desk);
        const unitSeconds = secondsPer(settings.expiryUnit);
        if (unitSeconds === undefined) return;
        const run = startPostRun(services, { ...desk, settings }, check);
        const context = { services, ...desk, settings, unitSeconds, run };
        await remindOfItems(context);
        await remindOfRequests(context);
        if (run.finish() !== 'none') await queueReminder(services, desk, 0);
      } catch (error) {
        if (!isDroplineError(error, 'not-connected')) throw error;
      }
    },
    async giveUp({ workspace }, error) {
      // The next hourly run tries again, for what hasn't expired by then.
      services.log.error({ workspace, operation: 'remind', err: error }, 'reminders could not be sent');
    },
  });
}

interface Context {
  services: SlackServices;
  workspace: string;
  account: string;
  settings: Settings;
  unitSeconds: number;
  run: PostRun;
}

/** Sends one message per target, which lists all its due items. Each inbox channel has its own time for reminders. */
async function remindOfItems(context: Context): Promise<void> {
  const { services, workspace, account, settings, unitSeconds, run } = context;
  const expiring = expiringIn(services.store, workspace, account);
  const allDays = new Set([usualDays, ...settings.inboxChannels.map(({ reminderDays }) => reminderDays)]);
  allDays.delete(0);
  let remaining: number = bounds.reminders;
  for (const days of allDays) {
    for await (const batch of expiring.due({ unitSeconds, leadSeconds: days * daySeconds })) {
      const isForChannel = (item: InboxItem) => (channelOf(settings, item)?.reminderDays ?? usualDays) === days;
      const due = batch.filter(isForChannel).slice(0, remaining);
      remaining -= due.length;
      await remindOfDue(context, due);
      if (remaining === 0 || run.isOver()) return run.leaveRest();
    }
  }
}

async function remindOfDue(context: Context, due: readonly InboxItem[]): Promise<void> {
  const { services, workspace, account, run } = context;
  const targets = targetsOf(due);
  const finished: Target[] = [];
  for (const target of targets) {
    await run.post(async () => {
      await remindTarget(context, target);
      finished.push(target);
    });
  }
  const isFinished = (item: InboxItem) =>
    targets.every((target) => finished.includes(target) || !target.items.includes(item));
  await expiringIn(services.store, workspace, account).markReminded(due.filter(isFinished));
}

/** Whether the item is available, no one has downloaded any of its files, and no malware was found in them. */
function needsReminder({ files, downloads, isGone, scans = [] }: InboxItem): boolean {
  return !isGone && files.length > 0 && downloads.length === 0 && scans.every(({ state }) => state !== 'infected');
}

interface Target {
  to: ReminderLocation;
  /** The person who reads it, if that isn't a channel. */
  person?: string;
  items: InboxItem[];
}

/**
 * Where people are reminded of items: in the thread of their post or, if each of several people was told that they had
 * arrived, in a direct message to each of them. There is no reminder of items that an admin moved.
 */
function targetsOf(due: readonly InboxItem[]): Target[] {
  const targets = new Map<string, Target>();
  const add = (to: ReminderLocation, item: InboxItem, person?: string) => {
    const key = JSON.stringify(to);
    const target = targets.get(key) ?? { to, person, items: [] };
    targets.set(key, target);
    if (!target.items.includes(item)) target.items.push(item);
  };
  for (const item of due) {
    const { post, belongsTo } = item;
    if (post === undefined) for (const person of belongsTo.filter(isDirect)) add({ channel: person }, item, person);
    // A post in the thread of a request is itself a reply and can't have replies, so the reminder goes to that thread.
    else if (isShownBy(post, item))
      add({ channel: post.channel, threadTs: post.thread ?? post.ts }, item, belongsTo.find(isDirect));
  }
  return [...targets.values()];
}

async function remindTarget(context: Context, { to, person, items: due }: Target): Promise<void> {
  const { services, workspace, account } = context;
  // Someone who has left, or can no longer download, gets no messages about files that they asked for.
  if (person !== undefined && !(await seesAnswers(services, { workspace, account, person }))) return;
  const items = itemsIn(services.store, workspace, account);
  const claimTarget = to.threadTs === undefined ? to.channel : 'thread';
  return sendOnce(context, 'items', to, async (claim) => {
    const claimed: InboxItem[] = [];
    for (const { url } of due) {
      // Read again, because the posts before this one took time.
      const current = await items.find(url);
      if (current !== undefined && needsReminder(current) && (await claim(itemIdOf(url), claimTarget)))
        claimed.push(current);
    }
    return claimed.length === 0 ? undefined : { about: 'items', items: claimed };
  });
}

async function remindOfRequests(context: Context): Promise<void> {
  const { services, workspace, account, unitSeconds, run } = context;
  const requests = requestsIn(services.store);
  const times = { unitSeconds, leadSeconds: usualDays * daySeconds };
  let senders: Set<string> | undefined;
  let many = 0;
  for await (const request of requests.expiring({ workspace, account }, times)) {
    many += 1;
    senders ??= await waitingSenders(context);
    // An upload that isn't announced yet could be the answer.
    if (request.recipients.some(({ email }) => senders?.has(email.toLowerCase()))) continue;
    await run.post(async () => {
      await remindRequester(context, request);
      await requests.markReminded(request.id);
    });
  }
  if (many === bounds.reminders) run.leaveRest();
}

/** The senders of items that aren't announced yet. */
async function waitingSenders({ services, workspace, account }: Context): Promise<Set<string>> {
  const senders = new Set<string>();
  for await (const waiting of announcementsIn(services.store, workspace, account).listWaiting())
    for (const { sender = '' } of waiting) senders.add(sender.toLowerCase());
  return senders;
}

function remindRequester(context: Context, { id, person, locations }: FileRequest): Promise<void> {
  const to = { channel: locations.card?.channel ?? person, threadTs: locations.card?.ts };
  return sendOnce(context, 'request', to, async (claim) => {
    const request = await transfersIn(context.services.store).read(id, 'request');
    if (request?.state !== 'sent' || request.endedAt === undefined) return undefined;
    const { endedAt, recipients, answers, expiresAfter, askedAgain } = request;
    const expiresAt = expiryOf(endedAt.getTime() / 1000, expiresAfter, context.settings.expiryUnit);
    // After “Ask again”, the new request has its own answers and its own reminder.
    const isAnswered = answers.length > 0 || isComplete(request) || askedAgain !== undefined;
    if (isAnswered || expiresAt === undefined || !(await claim(id, person))) return undefined;
    return { about: 'request', id, emails: recipients.map(({ email }) => email), expiresAt };
  });
}

type Claim = ReturnType<typeof reminderClaims>['claim'];

/**
 * Claims the messages of a reminder and then posts it. The claims are released only if nothing was posted. So a crash
 * can lose a reminder, but never repeats one.
 */
async function sendOnce(
  { services, workspace, account }: Context,
  about: Reminder['about'],
  to: ReminderLocation,
  prepare: (claim: Claim) => Promise<Reminder | undefined>,
): Promise<void> {
  const { log, metrics } = services;
  const claims = reminderClaims(services.store, workspace);
  const claimed: Parameters<Claim>[] = [];
  const claim: Claim = async (...message) => {
    const isNew = await claims.claim(...message);
    if (isNew) claimed.push(message);
    return isNew;
  };
  const start = performance.now();
  const outcome = await postReminder(services, { workspace, account }, to, () => prepare(claim)).catch(
    async (error: unknown) => {
      for (const message of claimed) await claims.release(...message);
      throw error;
    },
  );
  if (outcome === 'nothing') return;
  metrics?.count('dropline_reminders_total', { about, outcome });
  const subjects = claimed.map(([subject]) => subject);
  const ms = Math.round(performance.now() - start);
  const fields = { workspace, operation: 'remind', about, subjects, outcome, ms };
  if (outcome === 'sent') log.info(fields, 'reminder sent');
  else log.warn(fields, 'reminder not delivered');
}
