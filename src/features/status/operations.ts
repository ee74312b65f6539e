import { type Exchange, isExchangeError } from '../../exchange/index.ts';
import { bounds } from '../../lib/bounds.ts';
import { inTransaction } from '../../store/index.ts';
import { audited, hasErrorMessage, outcomeOf } from '../common/audited.ts';
import { connectionOf } from '../common/connection.ts';
import type { Actor, Services } from '../common/services.ts';
import { readUploaded } from '../files/operations.ts';
import { type PollState, pollState, startPolling } from '../inbox/poll/repository.ts';
import { type Pauses, pausesIn } from '../pause/repository.ts';
import { scannerState } from '../scanning/operations.ts';
import { expectAllowed, peopleGone } from '../settings/permission.ts';
import { waitingApprovals } from '../transfers/approval/operations.ts';
import { endHold, giveUpOrphan, type Hold, holdOf } from '../transfers/holds/repository.ts';
import { type ActiveTransfer, transfersIn } from '../transfers/repository.ts';
import type { TransferState } from '../transfers/states.ts';
import type { Transfer } from '../transfers/transfer.ts';
import { notOnHold, otherHold, stillChecking } from './errors.ts';

export interface Status {
  isAdmin: boolean;
  baseUrl: string;
  username: string;
  connectedBy: string;
  connectedAt: Date;
  /** Whether the service answers now, or why not. */
  health: { ok: true; activeDownloads: number | undefined } | { ok: false; code: string; message: string };
  /** The malware scanner, if there is one. */
  scanner: Awaited<ReturnType<typeof scannerState>>;
  poll: PollState | undefined;
  pauses: Pauses;
  /** `transfer` is only for admins, and undefined if another workspace sent it or it was deleted. */
  hold: (Hold & { heldTransfer: Transfer | undefined }) | undefined;
  /** Active transfers, oldest first. */
  transfers: ActiveTransfer[];
  /** Transfers that wait, of people who can't use Dropline any more. Only for admins. */
  abandoned: Transfer[];
  /** Other people's transfers that wait for this person's approval. */
  approvals: Transfer[];
  /** Files on the account. Only for admins, and only if they could be read. */
  uploads: { listed: string[] | undefined; unexpected: string[] } | undefined;
}

const maxApprovals = 10;

export async function readStatus(services: Services, actor: Actor): Promise<Status> {
  const { isAdmin } = await expectAllowed(services, actor, 'view');
  const { store, timing } = services;
  const { workspace } = actor;
  const { exchange, credentials } = await connectionOf(services, actor);
  const timeout = AbortSignal.timeout(timing.healthMs);
  // Without this, the status would say that a transfer is being checked, even if it has ended or was deleted.
  await giveUpOrphan(store, exchange.account);
  const [health, uploads, poll, hold, transfers, scanner, approvals, pauses] = await Promise.all([
    healthOf(exchange, timeout),
    isAdmin ? uploadsOn(services, actor, timeout) : undefined,
    pollState(store.pool, { workspace, account: exchange.account }),
    holdOf(store.pool, exchange.account),
    transfersIn(store).listActiveStates({ workspace, account: exchange.account, limit: bounds.transfersListed }),
    scannerState(services),
    waitingApprovals(services, actor, maxApprovals),
    pausesIn(store).read(actor),
  ]);
  const abandoned = isAdmin ? await readAbandoned(services, workspace, transfers) : [];
  const heldTransfer = hold === undefined || !isAdmin ? undefined : await transfersIn(store).read(hold.transfer);
  return {
    isAdmin,
    baseUrl: credentials.baseUrl,
    username: credentials.username,
    connectedBy: credentials.connectedBy,
    connectedAt: new Date(credentials.connectedAt),
    health,
    uploads,
    scanner,
    poll,
    hold: hold && { ...hold, heldTransfer: heldTransfer?.workspace === workspace ? heldTransfer : undefined },
    transfers,
    abandoned,
    approvals,
    pauses,
  };
}

const maxAbandoned = 10;
const waitingStates: readonly TransferState[] = ['approval', 'planned', 'waiting'];

/** What people who have left or are guests now had waiting. It can't be sent: its job checks the sender's rights. */
async function readAbandoned(services: Services, workspace: string, active: readonly ActiveTransfer[]) {
  const waiting = active.filter(({ state }) => waitingStates.includes(state));
  const gone = await peopleGone(
    services,
    workspace,
    waiting.map(({ person }) => person),
  );
  const found = waiting.filter(({ person }) => gone.includes(person)).slice(0, maxAbandoned);
  const read = await Promise.all(found.map(({ id }) => transfersIn(services.store).read(id)));
  return read.filter((transfer) => transfer !== undefined && transfer.cancelledBy === undefined) as Transfer[];
}

async function healthOf(exchange: Exchange, timeout: AbortSignal): Promise<Status['health']> {
  try {
    const { liveDrops } = await exchange.readHistory({ pick: () => undefined, signal: timeout });
    return { ok: true, activeDownloads: liveDrops };
  } catch (error) {
    if (timeout.aborted) return { ok: false, code: 'timeout', message: "The service didn't answer in time." };
    const message = hasErrorMessage(error) ? error.message : "Couldn't reach the service.";
    return { ok: false, code: outcomeOf(error), message };
  }
}

/** Reads the files on the account. Undefined if the service refuses or doesn't answer: the rest is still shown. */
async function uploadsOn(services: Services, admin: Actor, timeout: AbortSignal): Promise<Status['uploads']> {
  try {
    const { listed, unexpected } = await readUploaded(services, admin, timeout);
    return { listed: listed?.map(({ name }) => name), unexpected };
  } catch (error) {
    if (timeout.aborted || isExchangeError(error)) return undefined;
    throw error;
  }
}

/**
 * Releases the account's hold, so that people can send again. Throws if the hold is for another transfer than the one
 * that the admin has checked.
 */
export function releaseHold(services: Services, admin: Actor, transfer?: string): Promise<void> {
  return audited(services, admin, 'release hold', async ({ record }) => {
    await expectAllowed(services, admin, 'admin');
    const { account } = (await connectionOf(services, admin)).exchange;
    await giveUpOrphan(services.store, account);
    const hold = await holdOf(services.store.pool, account);
    if (hold === undefined) throw notOnHold();
    if (transfer !== undefined && transfer !== hold.transfer) throw otherHold();
    if (hold.reason === 'committing') throw stillChecking();
    await inTransaction(services.store.pool, async (client) => {
      if (!(await endHold(client, account, hold.transfer))) throw notOnHold();
      await record(client, { transfer: hold.transfer, hold: hold.reason });
    });
  });
}

/** Resumes polling after an admin has fixed the cause of the pause. Rejects if the service doesn't accept the key. */
export function resumePolling(services: Services, admin: Actor): Promise<void> {
  return audited(services, admin, 'resume polling', async ({ record }) => {
    await expectAllowed(services, admin, 'admin');
    const { exchange } = await connectionOf(services, admin);
    await exchange.signIn();
    await inTransaction(services.store.pool, async (client) => {
      await startPolling(client, { workspace: admin.workspace, account: exchange.account });
      await record(client);
    });
  });
}
