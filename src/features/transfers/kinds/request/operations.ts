import { audited } from '../../../common/audited.ts';
import type { Actor, Location, RequestMatch, Services } from '../../../common/services.ts';
import { confirm } from '../../operations.ts';
import { transfersIn } from '../../repository.ts';
import { requestKind } from './kind.ts';
import { freezeOldReview } from './old-format.ts';

export { type PreparedRequest, prepareRequest, type RequestDraft } from './prepare.ts';

/** Adds a job that gives contacts upload access for a limited time. Resolves with the request's id. */
export function confirmRequest(services: Services, actor: Actor, confirmation: string): Promise<string> {
  return audited(services, actor, 'ask for files', async ({ addDetails }) => {
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
}

/** Requests that contacts can still answer, newest first. */
export async function openRequests(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  account: string,
): Promise<OpenRequest[]> {
  const requests = await transfersIn(store).answerable({ workspace, account });
  return requests.map(({ id, person, details: { receivers, place: location } }) => ({
    id,
    person,
    location,
    asked: new Set(receivers.map(({ email }) => email.toLowerCase())),
  }));
}

/** Finds the requests that asked the item's sender for files. */
export function requestMatchOf(sender: string | undefined, requests: readonly OpenRequest[]): RequestMatch {
  const matching = requests.filter(({ asked }) => sender !== undefined && asked.has(sender.toLowerCase()));
  const kind = matching.length === 0 ? 'unrequested' : matching.length === 1 ? 'reply' : 'several';
  return { kind, requests: matching.map(({ id, person, location }) => ({ id, person, location })) };
}
