import type { Location, RequestMatch, Services } from '../../../common/services.ts';
import { transferDetails } from '../../repository.ts';

export interface OpenRequest {
  id: string;
  person: string;
  /** Lower-case addresses of the people asked. */
  asked: Set<string>;
  location: Location | undefined;
}

/**
 * Requests that contacts can still answer: those of the last 30 days, because the unit of a time to live is unknown.
 * Includes requests that haven't ended, because contacts can answer before the end is stored.
 */
export async function openRequests(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  account: string,
): Promise<OpenRequest[]> {
  const { decrypt } = store.columnCipher('dispatches', 'details_sealed');
  const { rows } = await store.pool.query<{ id: string; person: string; details_sealed: string }>(
    `select id, person, details_sealed from dropline.dispatches
     where workspace = $1 and account = $2 and kind = 'grant' and state in ('committing', 'sent', 'unknown')
       and coalesce(ended_at, now()) > now() - interval '30 days' and details_sealed is not null
     order by created_at desc`,
    [workspace, account],
  );
  return rows.map(({ id, person, details_sealed }) => {
    const { receivers, place: location } = transferDetails.parse(decrypt(id, details_sealed));
    return { id, person, location, asked: new Set(receivers.map(({ email }) => email.toLowerCase())) };
  });
}

/** Finds the requests that asked the item's sender for files. */
export function belongingOf(sender: string | undefined, requests: readonly OpenRequest[]): RequestMatch {
  const matching = requests.filter(({ asked }) => sender !== undefined && asked.has(sender.toLowerCase()));
  const kind = matching.length === 0 ? 'unrequested' : matching.length === 1 ? 'reply' : 'several';
  return { kind, requests: matching.map(({ id, person, location }) => ({ id, person, location })) };
}
