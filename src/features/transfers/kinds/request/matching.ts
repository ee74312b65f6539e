import type { Location, RequestMatch, Services } from '../../../common/services.ts';
import { transfersIn } from '../../repository.ts';

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
export function belongingOf(sender: string | undefined, requests: readonly OpenRequest[]): RequestMatch {
  const matching = requests.filter(({ asked }) => sender !== undefined && asked.has(sender.toLowerCase()));
  const kind = matching.length === 0 ? 'unrequested' : matching.length === 1 ? 'reply' : 'several';
  return { kind, requests: matching.map(({ id, person, location }) => ({ id, person, location })) };
}
