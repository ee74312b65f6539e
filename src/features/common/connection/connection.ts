import { DroplineError } from '../../../errors.ts';
import type { Exchange } from '../../../exchange/index.ts';
import type { Credentials } from '../../../store/index.ts';
import type { Services } from '../services.ts';

export interface Connection {
  exchange: Exchange;
  credentials: Credentials;
}

/** Changes a workspace's credentials under a lock, so that an earlier disconnect can't delete a later connection. */
export function changeConnection<T>({ store }: Pick<Services, 'store'>, workspace: string, change: () => Promise<T>) {
  return store.withLock(`connection ${workspace}`, AbortSignal.timeout(10_000), change);
}

/** The workspace's connection. Isn't cached, so that a disconnect takes effect immediately in every process. */
export async function connectionOf(
  { store, connectTo, callLimitOf }: Pick<Services, 'store' | 'connectTo' | 'callLimitOf'>,
  workspace: string,
  { evenIfLeaving = false } = {},
): Promise<Connection> {
  const credentials = await store.credentials.get(workspace);
  if (credentials === undefined) {
    throw new DroplineError(
      'not-connected',
      "This workspace isn't connected to the file service. An admin can connect it.",
    );
  }
  if (credentials.leavingSince !== undefined && !evenIfLeaving) {
    throw new DroplineError('not-connected', 'This workspace is being disconnected from the file service.');
  }
  return { exchange: connectTo(credentials, callLimitOf?.(workspace)), credentials };
}

/** Rejects if the workspace was disconnected or reconnected since this connection was made. */
export async function expectSameConnection(
  services: Pick<Services, 'store' | 'connectTo' | 'callLimitOf'>,
  workspace: string,
  { credentials }: Connection,
): Promise<void> {
  const now = await connectionOf(services, workspace);
  if (now.credentials.connectedAt === credentials.connectedAt) return;
  throw new DroplineError('not-connected', 'This workspace was reconnected, so earlier work was stopped.');
}
