import { audited } from '../../../common/audited.ts';
import type { Actor, InboxItem, Location, RequestMatch, Services } from '../../../common/services.ts';
import { expiryOf } from '../../../settings/expiry.ts';
import { readSettings } from '../../../settings/repository.ts';
import { type Confirmed, confirm } from '../../operations.ts';
import { isComplete } from './checklist/fields.ts';
import { requestKind } from './kind.ts';
import { requestsIn } from './repository.ts';

export { type PreparedRequest, prepareRequest, prepareRequestAgain, type RequestDraft } from './prepare.ts';

/** Confirms a reviewed request. Its job gives contacts upload access for a limited time. */
export function confirmRequest(services: Services, actor: Actor, reviewId: string, note?: string): Promise<Confirmed> {
  return audited(services, actor, 'ask for files', async ({ addDetails, skipEntry }) => {
    addDetails({ transfer: reviewId });
    skipEntry();
    return confirm(services, actor, requestKind, { reviewId, note });
  });
}

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
  checklist?: 'open' | 'complete' | undefined;
  /** The id of the request that this one repeats. */
  repeats?: string | undefined;
}

/** Requests that contacts can still answer, newest first. */
export async function openRequests(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  account: string,
): Promise<OpenRequest[]> {
  const { expiry } = await readSettings({ store }, workspace);
  const requests: OpenRequest[] = [];
  for await (const { id, person, createdAt, endedAt, details } of requestsIn(store).answerable({
    workspace,
    account,
  })) {
    const { recipients, expiresAfter, location, answers = [], checklist, repeats } = details;
    requests.push({
      id,
      person,
      location,
      askedAt: createdAt.getTime(),
      repeats,
      checklist: checklist && (isComplete(checklist) ? 'complete' : 'open'),
      asked: new Set(recipients.map(({ email }) => email.toLowerCase())),
      expiresAt: endedAt === undefined ? undefined : expiryOf(endedAt.getTime() / 1000, expiresAfter, expiry.unit),
      answered: new Map(answers.map(({ from, foundAt }) => [from, foundAt])),
    });
  }
  return requests;
}

/** The requests that each item answered, by item id. */
export async function requestsByItem(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  account: string,
): Promise<Map<string, Pick<OpenRequest, 'person' | 'location'>[]>> {
  const byItem = new Map<string, Pick<OpenRequest, 'person' | 'location'>[]>();
  for await (const { person, details } of requestsIn(store).answerable({ workspace, account })) {
    for (const { item } of details.answers ?? [])
      byItem.set(item, [...(byItem.get(item) ?? []), { person, location: details.location }]);
  }
  return byItem;
}

type Received = Pick<InboxItem, 'sender' | 'createdAt' | 'foundAt'>;

/**
 * Finds the requests that the item answers, and marks them as answered by its sender: files of that sender that a later
 * poll finds are unrequested, unless a point of the request's checklist is missing.
 */
export function assignToRequests(item: Received, requests: readonly OpenRequest[]): RequestMatch {
  const isReplaced = (request: OpenRequest) => requests.some((other) => replaces(item, other, request));
  const matching = requests.filter((request) => isAnswer(item, request) && !isReplaced(request));
  for (const { answered } of matching) answered.set(addressOf(item), item.foundAt);
  const kind = matching.length === 0 ? 'unrequested' : matching.length === 1 ? 'reply' : 'several';
  return { kind, requests: matching.map(({ id, person, location }) => ({ id, person, location })) };
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
 * request gets them only if the later one's checklist is complete and its own isn't.
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
