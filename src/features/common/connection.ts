import type { Exchange } from '../../exchange/index.ts';
import { accountQueue } from '../../jobs/index.ts';
import { accountKey, type Credentials, type Desk, type HeldLock, noDesk, type Store } from '../../store/index.ts';
import { accountLeft, disconnecting, notConnected, reconnected } from './errors.ts';
import type { Actor, Services } from './services.ts';

export interface Connection {
  exchange: Exchange;
  credentials: Credentials;
}

/** Changes a workspace's credentials under a lock, so that an earlier disconnect can't delete a later connection. */
export function changeConnection<T>({ store }: Pick<Services, 'store'>, workspace: string, change: () => Promise<T>) {
  return store.withLock(`connection ${workspace}`, AbortSignal.timeout(10_000), change);
}

/** Reads the connection. Never cached, so that a disconnect takes effect immediately in every process. */
export async function connectionOf(
  { store, connectTo, callLimitOf }: Pick<Services, 'store' | 'connectTo' | 'callLimitOf'>,
  desk: Desk,
  { allowDisconnecting = false } = {},
): Promise<Connection> {
  const credentials = await store.credentials.get(desk);
  if (credentials === undefined) {
    throw desk.account === undefined ? notConnected() : accountLeft();
  }
  if (credentials.leavingSince !== undefined && !allowDisconnecting) {
    throw disconnecting();
  }
  return { exchange: connectTo(credentials, callLimitOf?.(desk.workspace)), credentials };
}

/** The desk with its account. Rejects if it isn't connected. */
export async function deskOf(
  services: Pick<Services, 'store' | 'connectTo' | 'callLimitOf'>,
  desk: Desk,
): Promise<Required<Desk>> {
  const { exchange } = await connectionOf(services, desk);
  return { workspace: desk.workspace, account: exchange.account };
}

/** A person in a job's payload, on the workspace's only account or on one of its desks. */
export interface ActorIds extends Record<string, string> {
  workspace: string;
  desk: string;
  person: string;
}

const onlyAccount = 'only';

export const idsOfActor = ({ workspace, account, person }: Actor): ActorIds => ({
  workspace,
  desk: account === undefined ? onlyAccount : accountKey(account),
  person,
});

/** The person of a job. If the desk isn't connected any more, they can't do anything. */
export async function actorWith(
  { store }: Pick<Services, 'store'>,
  { workspace, desk, person }: ActorIds,
): Promise<Actor> {
  if (desk === onlyAccount) return { workspace, person };
  const found = await store.credentials.deskWith({ workspace, desk });
  return { workspace, account: found?.account ?? noDesk, person };
}

/** Rejects if the workspace was disconnected or reconnected since this connection was read. */
export async function expectSameConnection(
  services: Pick<Services, 'store' | 'connectTo' | 'callLimitOf'>,
  desk: Desk,
  { credentials }: Connection,
): Promise<void> {
  const current = await connectionOf(services, desk);
  if (current.credentials.connectedAt === credentials.connectedAt) return;
  throw reconnected();
}

/** Checks whether work can continue, for example whether it still holds its lock. */
export interface Guard {
  signal: AbortSignal;
  /** Rejects if the next call must not be made. */
  check(): Promise<void>;
}

/** A client that runs the check before every call. The signal aborts a running call. */
export function guarded(exchange: Exchange, { signal, check }: Guard): Exchange {
  return exchange.with({ signal, beforeCall: check });
}

/** For work outside the account's queue: takes the lock of that queue. */
export function withAccountLock<T>(
  { withLock }: Pick<Store, 'withLock'>,
  kind: Parameters<typeof accountQueue>[0],
  account: string,
  signal: AbortSignal,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  return withLock(accountQueue(kind, account), signal, work);
}

/** Services for interactive code. Calls above the workspace's limit are queued. */
export function withCallLimits<T extends Services>(services: T): T {
  const { calls } = services;
  return { ...services, callLimitOf: (workspace) => (work, signal) => calls.run(workspace, work, signal) };
}

const maxFailures = 10;

/** Runs the work for each workspace and skips failures. Throws after 10 in a row: these have a common cause. */
export async function eachWorkspace(
  { log }: Pick<Services, 'log'>,
  workspaces: readonly string[],
  work: (workspace: string) => Promise<void>,
): Promise<void> {
  let failures = 0;
  for (const workspace of workspaces) {
    try {
      await work(workspace);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === maxFailures) throw error;
      log.warn({ workspace, err: error }, 'workspace skipped');
    }
  }
}
