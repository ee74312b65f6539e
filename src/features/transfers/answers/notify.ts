import { truncateText } from '../../../slack/limits.ts';
import type { Store } from '../../../store/index.ts';
import { itemIdOf } from '../../common/ids.ts';
import { safeName } from '../../common/names.ts';
import type { InboxItem } from '../../common/services.ts';
import type { RequestAnswers } from '../transfer.ts';
import { requestsIn } from './repository.ts';

/** The last answers are stored with the names of their first files. */
const maxNamedAnswers = 5;
export const maxNames = 5;
/** Older answers are dropped, except one of each sender, which shows that the sender has answered. */
const maxAnswers = 100;
const maxAnswerChars = 256 * 1024;
const maxNameChars = 80;

/**
 * Records what the contacts sent. Ignores items that are already recorded.
 *
 * @param isSeen whether the requester sees the items. If not, the request doesn't say how many files these are
 * @param channel the private channel in which the items are
 */
export async function recordAnswers(
  store: Store,
  id: string,
  items: readonly InboxItem[],
  { isSeen, channel }: { isSeen: boolean; channel?: string },
): Promise<void> {
  const at = Math.floor(Date.now() / 1000);
  const received = items.slice(-maxAnswers).map(({ url, sender = '', files, filesLeftOut = 0, foundAt }) => {
    const all = [...new Set(files)];
    const names = all.slice(0, maxNames).map((name) => truncateText(safeName(name), maxNameChars));
    const count = all.length + filesLeftOut;
    const what = isSeen ? { files: count, names } : { files: 0, channel };
    return { item: itemIdOf(url), from: sender.toLowerCase(), ...what, at, foundAt };
  });
  await requestsIn(store).updateAnswers(id, ({ answers }) => {
    const recorded = new Set(answers.map(({ item }) => item));
    const fresh = received.filter(({ item }) => !recorded.has(item));
    return fresh.length === 0 ? undefined : { answers: limitAnswers([...answers, ...fresh]) };
  });
}

type Answers = RequestAnswers['answers'];

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
