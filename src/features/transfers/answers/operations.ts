import type { Desk } from '../../../store/index.ts';
import type { InboxItem, Location, RequestMatch, Services } from '../../common/services.ts';
import { expiryOf } from '../../settings/expiry.ts';
import { readSettings } from '../../settings/repository.ts';
import { isComplete } from '../transfer.ts';
import { requestsIn } from './repository.ts';

export interface OpenRequest {
  id: string;
  person: string;
  /** Lower-case addresses of the people asked. */
  asked: Set<string>;
  location: Location | undefined;
  /** When the person asked, in milliseconds since 1970. */
  askedAt: number;
  /** In seconds since 1970; undefined if unknown. */
  expiresAt: number | undefined;
  /** By lower-case address: `foundAt` of the person's last answer. */
  answered: Map<string, number | undefined>;
  /** Only for a request with a checklist: whether a point is missing. */
  checklist?: 'open' | 'complete';
  /** The id of the request that this one repeats. */
  repeats?: string;
}

/** Requests that contacts can still answer, newest first. */
export async function openRequests({ store }: Pick<Services, 'store'>, desk: Required<Desk>): Promise<OpenRequest[]> {
  const { expiryUnit } = await readSettings({ store }, desk);
  const requests: OpenRequest[] = [];
  for await (const request of requestsIn(store).answerable(desk)) {
    const { id, person, createdAt, endedAt, recipients, expiresAfter, locations, answers, checklist, repeats } =
      request;
    requests.push({
      id,
      person,
      location: locations.card,
      askedAt: createdAt.getTime(),
      repeats,
      checklist: checklist && (isComplete(request) ? 'complete' : 'open'),
      asked: new Set(recipients.map(({ email }) => email.toLowerCase())),
      expiresAt: endedAt === undefined ? undefined : expiryOf(endedAt.getTime() / 1000, expiresAfter, expiryUnit),
      answered: new Map(answers.map(({ from, foundAt }) => [from, foundAt])),
    });
  }
  return requests;
}

type Received = Pick<InboxItem, 'sender' | 'createdAt' | 'foundAt'>;

/**
 * Finds the requests that the item answers, and records in them (`answered`) that its sender has answered. Files of that
 * sender that a later poll finds are then unrequested, unless a point of the request's checklist is missing. Called
 * again for the same item, it gives the same result, unless a point was ticked off or unticked since then.
 */
export function assignToRequests(item: Received, requests: readonly OpenRequest[]): RequestMatch {
  const matching = requests.filter(
    (request) => isAnswer(item, request) && !requests.some((later) => replaces(item, later, request)),
  );
  for (const { answered } of matching) answered.set(addressOf(item), item.foundAt);
  return {
    kind: matching.length === 0 ? 'unrequested' : matching.length === 1 ? 'reply' : 'several',
    requests: matching.map(({ id, person, location }) => ({ id, person, location })),
  };
}

const addressOf = ({ sender = '' }: Received) => sender.toLowerCase();

function isAnswer(item: Received, request: OpenRequest): boolean {
  const { answered, checklist } = request;
  const from = addressOf(item);
  if (wasFoundBefore(item, request)) return false;
  if (checklist !== 'open' && answered.has(from)) return answered.get(from) === item.foundAt;
  return checklist !== 'complete' && couldAnswer(item, request);
}

/**
 * If a person has asked again, uploads belong only to the later request, even if it was already answered. The first
 * request gets them only if the later one's checklist is complete and a point of its own is missing.
 */
function replaces(item: Received, later: OpenRequest, first: OpenRequest): boolean {
  if (later.repeats !== first.id || (later.checklist === 'complete' && first.checklist === 'open')) return false;
  return !wasFoundBefore(item, later) && couldAnswer(item, later);
}

/** Whether a poll found the item before the person asked. Such an item can still wait for its channel's digest. */
const wasFoundBefore = ({ foundAt }: Received, { askedAt }: OpenRequest) => foundAt !== undefined && foundAt < askedAt;

/** Whether the sender was asked and sent it before the expiry, by the service's clock. A poll can find it later. */
function couldAnswer(item: Received, { asked, expiresAt = Number.POSITIVE_INFINITY }: OpenRequest): boolean {
  const { createdAt = (item.foundAt ?? 0) / 1000 } = item;
  return asked.has(addressOf(item)) && createdAt <= expiresAt;
}
