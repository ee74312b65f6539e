import { audited } from '../../../common/audited.ts';
import type { Actor, InboxItem, Location, RequestMatch, Services } from '../../../common/services.ts';
import { expiryOf } from '../../../settings/expiry.ts';
import { readSettings } from '../../../settings/repository.ts';
import { confirm } from '../../operations.ts';
import { transfersIn } from '../../repository.ts';
import { requestKind } from './kind.ts';
import { freezeOldReview } from './old-format.ts';

export { type PreparedRequest, prepareRequest, type RequestDraft } from './prepare.ts';

/** Adds a job that gives contacts upload access for a limited time. Resolves with the request's id. */
export function confirmRequest(services: Services, actor: Actor, confirmation: string): Promise<string> {
  return audited(services, actor, 'ask for files', async ({ addDetails, recordLater }) => {
    recordLater();
    await freezeOldReview(services, actor, confirmation);
    const { id, details } = await confirm(services, actor, requestKind, confirmation);
    addDetails({ request: id, contacts: details.receivers.map(({ email }) => email) });
    return id;
  });
}

export interface OpenRequest {
  id: string;
  person: string;
  /** Lower-case addresses of the people asked. */
  asked: Set<string>;
  location: Location | undefined;
  /** In seconds since 1970; undefined if unknown. */
  expiresAt: number | undefined;
  /** By lower-case address: `foundAt` of the person's first files. */
  answered: Map<string, number | undefined>;
}

/** Requests that contacts can still answer, newest first. */
export async function openRequests(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  account: string,
): Promise<OpenRequest[]> {
  const { ttl } = await readSettings({ store }, workspace);
  const requests = await transfersIn(store).answerable({ workspace, account });
  return requests.map(({ id, person, endedAt, details }) => {
    const { receivers, timeToLive, place: location, answers = [] } = details;
    return {
      id,
      person,
      location,
      asked: new Set(receivers.map(({ email }) => email.toLowerCase())),
      expiresAt: endedAt === undefined ? undefined : expiryOf(endedAt.getTime() / 1000, timeToLive, ttl.unit),
      answered: new Map(answers.map(({ from, foundAt }) => [from, foundAt])),
    };
  });
}

type Received = Pick<InboxItem, 'sender' | 'createdAt' | 'foundAt'>;

/**
 * Finds the requests that the item answers, and marks them as answered by its sender: files of that sender that a later
 * poll finds are unrequested.
 */
export function requestMatchOf(item: Received, requests: readonly OpenRequest[]): RequestMatch {
  const matching = requests.filter((request) => isAnswer(item, request));
  for (const { answered } of matching) answered.set(addressOf(item), item.foundAt);
  const kind = matching.length === 0 ? 'unrequested' : matching.length === 1 ? 'reply' : 'several';
  return { kind, requests: matching.map(({ id, person, location }) => ({ id, person, location })) };
}

const addressOf = ({ sender = '' }: Received) => sender.toLowerCase();

function isAnswer(item: Received, { asked, answered, expiresAt = Number.POSITIVE_INFINITY }: OpenRequest): boolean {
  const from = addressOf(item);
  if (answered.has(from)) return answered.get(from) === item.foundAt;
  // By the service's clock, so that a file sent in time counts even if a later poll finds it.
  const { createdAt = (item.foundAt ?? 0) / 1000 } = item;
  return asked.has(from) && createdAt <= expiresAt;
}
