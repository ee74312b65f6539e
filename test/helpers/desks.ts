import { type PollState, pollState } from '../../src/features/inbox/poll/repository.ts';
import type { Desk, Store } from '../../src/store/index.ts';

/** A workspace's only account. */
export const deskOf = async (
  { credentials }: Pick<Store, 'credentials'>,
  workspace: string,
): Promise<Required<Desk>> => ({
  workspace,
  account: (await credentials.accountOf({ workspace })) ?? '',
});

/** How the polls of a workspace's only account stand. */
export const pollStateOf = async (store: Store, workspace: string): Promise<PollState | undefined> =>
  pollState(store.pool, await deskOf(store, workspace));
