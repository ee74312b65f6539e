import { DroplineError } from '../../errors.ts';
import { audited, outcomeOf } from '../audited.ts';
import { connectionOf } from '../connection.ts';
import { type PollState, pollState, startPolling } from '../inbox/polls.ts';
import { giveUpOrphan, type Hold, holdOf, letGo } from '../outgoing/holds.ts';
import type { Actor, Services } from '../services.ts';
import { expectAllowed } from '../settings/permission.ts';

export interface Status {
  baseUrl: string;
  username: string;
  connectedBy: string;
  connectedAt: Date;
  /** Whether the service answers now; else why not. */
  health: { ok: true; liveDrops: number | undefined } | { ok: false; code: string; sentence: string };
  poll: PollState | undefined;
  hold: Hold | undefined;
  /** What is under way, the oldest first. */
  transfers: { id: string; person: string; kind: string; state: string; since: Date }[];
}

export async function readStatus(services: Services, actor: Actor): Promise<Status> {
  await expectAllowed(services, actor, 'download');
  const { store } = services;
  const { workspace } = actor;
  const { exchange, credentials } = await connectionOf(services, workspace);
  const health = exchange.readHistory({ keep: () => false }).then(
    ({ liveDrops }) => ({ ok: true, liveDrops }) as const,
    (error: unknown) =>
      ({ ok: false, code: outcomeOf(error), sentence: error instanceof Error ? error.message : '' }) as const,
  );
  const { rows } = await store.pool.query(
    `select id, person, kind, state, created_at as since from dropline.dispatches
     where workspace = $1 and ended_at is null order by created_at limit 50`,
    [workspace],
  );
  return {
    baseUrl: credentials.baseUrl,
    username: credentials.username,
    connectedBy: credentials.connectedBy,
    connectedAt: new Date(credentials.connectedAt),
    health: await health,
    poll: await pollState(store.pool, workspace),
    hold: await holdOf(store.pool, exchange.account),
    transfers: rows,
  };
}

/** An admin has looked into what held the account: it may send again. */
export function releaseHold(services: Services, admin: Actor): Promise<void> {
  return audited(services, admin, 'release hold', async ({ note }) => {
    await expectAllowed(services, admin, 'admin');
    const { account } = (await connectionOf(services, admin.workspace)).exchange;
    await giveUpOrphan(services.store.pool, account);
    const hold = await holdOf(services.store.pool, account);
    if (hold === undefined) throw new DroplineError('not-found', 'Nothing is on hold.');
    if (hold.reason === 'committing') {
      throw new DroplineError('too-late', 'It is being found out at this moment whether it was sent. Wait for that.');
    }
    note({ dispatch: hold.dispatch, reason: hold.reason });
    await letGo(services.store.pool, account, hold.dispatch);
  });
}

/** An admin has mended what paused the polling. */
export function resumePolling(services: Services, admin: Actor): Promise<void> {
  return audited(services, admin, 'resume polling', async () => {
    await expectAllowed(services, admin, 'admin');
    const { exchange } = await connectionOf(services, admin.workspace);
    await exchange.signIn();
    await startPolling(services.store.pool, admin.workspace);
  });
}
