import { bounds } from '../../../bounds.ts';
import { isDroplineError } from '../../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { connectionOf } from '../../common/connection.ts';
import { itemIdOf } from '../../common/ids.ts';
import type { InboxItem, Location, Reminder, Services } from '../../common/services.ts';
import { expiryOf, secondsPer } from '../../settings/expiry.ts';
import { readSettings, type Settings } from '../../settings/repository.ts';
import { isComplete } from '../../transfers/kinds/request/checklist/fields.ts';
import { requestsByItem } from '../../transfers/kinds/request/operations.ts';
import { requestsIn } from '../../transfers/kinds/request/repository.ts';
import { type TransferWithDetails, transfersIn } from '../../transfers/repository.ts';
import { announceQueue, type PostRun, postRunFor } from '../announce/jobs.ts';
import { announcementsIn } from '../announce/repository.ts';
import { itemsIn, type StoredItem } from '../items/repository.ts';
import { expiringIn, reminderClaims, workspacesWithExpiring } from './repository.ts';

const remindKind = jobKind('remind', ['workspace'], { slots: 'posting' });

const daySeconds = 86_400;

/** When requesters are reminded: a day before their request expires. The setting `reminderDays` is only for files. */
const requestLeadSeconds = daySeconds;

/**
 * Queues a job for each workspace that could need reminders. The jobs run at random times, so that not all workspaces
 * post at once. Resolves with the number of jobs.
 */
export async function queueReminders(services: Services): Promise<number> {
  const { store, timing } = services;
  const withRequests = await requestsIn(store).workspacesWithExpiring();
  const workspaces = new Set([...(await workspacesWithExpiring(store)), ...withRequests]);
  for (const workspace of workspaces) await queueReminder(services, workspace, Math.random() * timing.reminderSpreadMs);
  return workspaces.size;
}

/**
 * Queues a job in the announcer's queue, because both post in the same channels, where Slack allows one message a
 * second.
 */
async function queueReminder({ queue }: Services, workspace: string, afterMs: number): Promise<void> {
  const runAt = new Date(Date.now() + afterMs);
  await queue.add(remindKind, { workspace }, { queue: announceQueue(workspace), key: `remind ${workspace}`, runAt });
}

/** Reminds people of what expires soon. A job that runs twice, even at the same time, sends nothing twice. */
export function remindJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string }>({
    kind: remindKind,
    async run({ workspace }, { check }) {
      try {
        const { account } = (await connectionOf(services, workspace)).exchange;
        const settings = await readSettings(services, workspace);
        const unitSeconds = secondsPer(settings.expiry.unit);
        if (unitSeconds === undefined) return;
        const run = postRunFor(services, workspace, account, check);
        const context = { services, workspace, account, settings, unitSeconds, run };
        await remindOfItems(context);
        await remindOfRequests(context);
        if (run.finish() !== 'none') await queueReminder(services, workspace, 0);
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
  services: Services;
  workspace: string;
  account: string;
  settings: Settings;
  unitSeconds: number;
  run: PostRun;
}

/** Sends one message per target, which lists all its due items. */
async function remindOfItems(context: Context): Promise<void> {
  const { services, workspace, account, settings, unitSeconds, run } = context;
  const expiring = expiringIn(services.store, workspace, account);
  const leadSeconds = settings.reminderDays * daySeconds;
  if (leadSeconds === 0) return;
  let many = 0;
  let requests: RequestsByItem | undefined;
  for await (const due of expiring.due({ unitSeconds, leadSeconds })) {
    many += due.length;
    requests ??= await requestsByItem(services, workspace, account);
    const targets = targetsOf(due, requests);
    const finished: Target[] = [];
    for (const target of targets) {
      await run.make(async () => {
        await remindTarget(context, target);
        finished.push(target);
      });
    }
    const isFinished = (known: StoredItem) =>
      targets.every((target) => finished.includes(target) || !target.items.includes(known));
    await expiring.markReminded(due.filter(isFinished));
  }
  if (many === bounds.reminders) run.skip();
}

type RequestsByItem = Awaited<ReturnType<typeof requestsByItem>>;

/** Whether the item is available, no one has downloaded any of its files, and no malware was found in them. */
function needsReminder({ files, downloads, isGone, scans = [] }: InboxItem): boolean {
  return !isGone && files.length > 0 && downloads.length === 0 && scans.every(({ state }) => state !== 'infected');
}

interface Target {
  /** The location of a post, or the id of a person. */
  to: Location | string;
  items: StoredItem[];
}

/**
 * Where people are reminded of items: in the thread of their post, and in a direct message to each person who asked for
 * them. An item without its own post has no thread, so only the people who asked for it are reminded.
 */
function targetsOf(due: readonly StoredItem[], requests: RequestsByItem): Target[] {
  const targets = new Map<string, Target>();
  const add = (key: string, to: Target['to'], known: StoredItem) => {
    const target = targets.get(key) ?? { to, items: [] };
    targets.set(key, target);
    if (!target.items.includes(known)) target.items.push(known);
  };
  for (const known of due) {
    const { item, location } = known;
    if (location !== undefined)
      add(JSON.stringify([location.channel, location.thread ?? location.ts]), location, known);
    for (const { person, location: cardLocation } of requests.get(itemIdOf(item.url)) ?? []) {
      // The thread of the request is in the direct messages with this person.
      const isInThread = location?.thread !== undefined && location.channel === cardLocation?.channel;
      if (!isInThread) add(person, person, known);
    }
  }
  return [...targets.values()];
}

function remindTarget(context: Context, { to, items: due }: Target): Promise<void> {
  const { services, workspace, account } = context;
  const items = itemsIn(services.store, workspace, account);
  const claimTarget = typeof to === 'string' ? to : 'thread';
  return sendOnce(context, 'items', to, async (claim) => {
    const claimed: InboxItem[] = [];
    for (const { item } of due) {
      // Read again, because the posts before this one took time.
      const current = await items.find(item.url);
      if (current !== undefined && needsReminder(current.item) && (await claim(itemIdOf(item.url), claimTarget)))
        claimed.push(current.item);
    }
    return claimed.length === 0 ? undefined : { about: 'items', items: claimed };
  });
}

async function remindOfRequests(context: Context): Promise<void> {
  const { services, workspace, account, unitSeconds, run } = context;
  const requests = requestsIn(services.store);
  const times = { unitSeconds, leadSeconds: requestLeadSeconds };
  let senders: Set<string> | undefined;
  let many = 0;
  for await (const request of requests.expiring({ workspace, account }, times)) {
    many += 1;
    senders ??= await waitingSenders(context);
    // An upload that isn't announced yet could be the answer.
    if (request.details.recipients.some(({ email }) => senders?.has(email.toLowerCase()))) continue;
    await run.make(async () => {
      await remindRequester(context, request);
      await requests.markReminded(request.id);
    });
  }
  if (many === bounds.reminders) run.skip();
}

/** The senders of items that aren't announced yet. */
async function waitingSenders({ services, workspace, account }: Context): Promise<Set<string>> {
  const senders = new Set<string>();
  for await (const waiting of announcementsIn(services.store, workspace, account).listWaiting())
    for (const { item } of waiting) senders.add(item.sender?.toLowerCase() ?? '');
  return senders;
}

function remindRequester(context: Context, { id, person, details: { location } }: TransferWithDetails): Promise<void> {
  return sendOnce(context, 'request', location ?? person, async (claim) => {
    const { state, endedAt, details } = (await transfersIn(context.services.store).read(id)) ?? {};
    if (state !== 'sent' || endedAt === undefined || details === undefined) return undefined;
    const { recipients, answers = [], expiresAfter, checklist, askedAgainAt } = details;
    const expiresAt = expiryOf(endedAt.getTime() / 1000, expiresAfter, context.settings.expiry.unit);
    // After “Ask again”, the new request has its own answers and its own reminder.
    const isAnswered = answers.length > 0 || isComplete(checklist) || askedAgainAt !== undefined;
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
  { services, workspace }: Context,
  about: Reminder['about'],
  to: Location | string,
  prepare: (claim: Claim) => Promise<Reminder | undefined>,
): Promise<void> {
  const { announcer, log, metrics } = services;
  const claims = reminderClaims(services.store, workspace);
  const claimed: Parameters<Claim>[] = [];
  const claim: Claim = async (...message) => {
    const isNew = await claims.claim(...message);
    if (isNew) claimed.push(message);
    return isNew;
  };
  const start = performance.now();
  const outcome = await announcer
    .remind(workspace, to, () => prepare(claim))
    .catch(async (error: unknown) => {
      for (const message of claimed) await claims.release(...message);
      throw error;
    });
  if (outcome === 'nothing') return;
  metrics?.count('dropline_reminders_total', { about, outcome });
  const subjects = claimed.map(([subject]) => subject);
  const ms = Math.round(performance.now() - start);
  const fields = { workspace, operation: 'remind', about, subjects, outcome, ms };
  if (outcome === 'sent') log.info(fields, 'reminder sent');
  else log.warn(fields, 'reminder not delivered');
}
