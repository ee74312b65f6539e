import type { Belonging, Location, Services } from '../../../common/services.ts';
import { transferDetails } from '../../repository.ts';

export interface OpenRequest {
  id: string;
  person: string;
  /** Lower-case addresses of the people asked. */
  asked: Set<string>;
  place: Location | undefined;
}

/**
 * Requests that can still be answered: those of the last 30 days, because the API doesn't say in which unit a time to
 * live is. A request can be answered before its end is stored, so open ones count too.
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
    return { id, person, place: location, asked: new Set(receivers.map(({ email }) => email.toLowerCase())) };
  });
}

/** An item belongs to the requests that asked its sender for files. */
export function belongingOf(sender: string | undefined, requests: readonly OpenRequest[]): Belonging {
  const matching = requests.filter(({ asked }) => sender !== undefined && asked.has(sender.toLowerCase()));
  const kind = matching.length === 0 ? 'unasked' : matching.length === 1 ? 'reply' : 'several';
  return { kind, requests: matching.map(({ id, person, place: location }) => ({ id, person, place: location })) };
}
