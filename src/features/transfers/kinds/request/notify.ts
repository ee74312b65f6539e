import { truncateText } from '../../../../slack/limits.ts';
import { changeOrPost } from '../../../../slack/messages.ts';
import type { Store } from '../../../../store/index.ts';
import { itemIdOf } from '../../../common/ids.ts';
import { safeName } from '../../../common/names.ts';
import type { InboxItem } from '../../../common/services.ts';
import type { SlackAccess } from '../../../common/ui-services.ts';
import { readSettings } from '../../../settings/repository.ts';
import { pauseOf } from '../../pause/checks.ts';
import { hasDetails, type TransferDetails, transfersIn } from '../../repository.ts';
import { cardOf } from '../card.ts';
import { maxNamedAnswers, maxNames } from './card.ts';
import { showChecklist } from './checklist/notify.ts';

const lockTimeoutMs = 30_000;

/**
 * Shows a request's state on its card, in a direct message to the requester. Concurrent calls post only one card. If
 * the request was sent and repeats another one, updates the card and the checklist of that one too. Resolves with
 * whether the card is new.
 */
export async function showRequest(slack: SlackAccess, store: Store, id: string): Promise<boolean> {
  const isNew = await showCard(slack, store, id);
  const repeated = await markRepeated(store, id);
  if (repeated !== undefined) {
    await showCard(slack, store, repeated);
    await showChecklist(slack, store, repeated);
  }
  return isNew;
}

/**
 * Records on the repeated request that this one was sent. Resolves with its id if it isn't known to show that yet:
 * after a crash, the job that notifies of the end shows it again.
 */
async function markRepeated(store: Store, id: string): Promise<string | undefined> {
  const { state, endedAt, notifiedAt, details } = (await transfersIn(store).read(id)) ?? {};
  const { repeats } = details ?? {};
  if (state !== 'sent' || endedAt === undefined || repeats === undefined) return undefined;
  let isMarked = false;
  await transfersIn(store).annotate(repeats, ({ askedAgainBy }) => {
    isMarked = askedAgainBy === undefined || askedAgainBy === id;
    return askedAgainBy === undefined ? { askedAgainAt: endedAt.getTime(), askedAgainBy: id } : undefined;
  });
  return isMarked && notifiedAt === undefined ? repeats : undefined;
}

function showCard(slack: SlackAccess, store: Store, id: string): Promise<boolean> {
  return store.withLock(`request card ${id}`, AbortSignal.timeout(lockTimeoutMs), async () => {
    const transfer = await transfersIn(store).read(id);
    if (!hasDetails(transfer)) return false;
    const { workspace, person, details } = transfer;
    const client = await slack.clientOf(workspace);
    const { expiry, policies } = await readSettings({ store }, workspace);
    const pause = await pauseOf({ store }, transfer);
    const card = cardOf({ transfer, unit: expiry.unit, pause, policy: policies.approval });
    const location = await changeOrPost(client, person, details.location, card);
    if (location !== undefined) await transfersIn(store).annotate(id, () => ({ location }));
    return location !== undefined;
  });
}

/** Older answers are dropped, except one of each sender, which shows that the sender has answered. */
const maxAnswers = 100;
const maxAnswerChars = 256 * 1024;
const maxNameChars = 80;

/** Records what the contacts sent. Ignores items that are already recorded. */
export async function recordAnswers(store: Store, id: string, items: readonly InboxItem[]): Promise<void> {
  const at = Math.floor(Date.now() / 1000);
  const received = items.slice(-maxAnswers).map(({ url, sender = '', files, filesLeftOut = 0, foundAt }) => {
    const all = [...new Set(files)];
    const names = all.slice(0, maxNames).map((name) => truncateText(safeName(name), maxNameChars));
    const count = all.length + filesLeftOut;
    return { item: itemIdOf(url), from: sender.toLowerCase(), files: count, names, at, foundAt };
  });
  await transfersIn(store).annotate(id, ({ answers = [] }) => {
    const recorded = new Set(answers.map(({ item }) => item));
    const fresh = received.filter(({ item }) => !recorded.has(item));
    return fresh.length === 0 ? undefined : { answers: limitAnswers([...answers, ...fresh]) };
  });
}

type Answers = NonNullable<TransferDetails['answers']>;

/** Drops the oldest answers beyond the limit, except each sender's last one. Only the last ones keep file names. */
function limitAnswers(answers: Answers): Answers {
  const lastOf = new Map(answers.map(({ from }, index) => [from, index]));
  // The service sets the length of an address.
  const longest = Math.max(...answers.map(({ from }) => from.length));
  const many = Math.min(maxAnswers, Math.floor(maxAnswerChars / longest));
  const remaining = answers.filter(({ from }, index) => index >= answers.length - many || lastOf.get(from) === index);
  return remaining.map(({ names, ...answer }, index) =>
    names === undefined || index < remaining.length - maxNamedAnswers ? answer : { ...answer, names },
  );
}
