import type { UploadedFile } from '../../exchange/index.ts';
import { audited } from '../common/audited.ts';
import { connectionOf, guarded, withAccountLock } from '../common/connection.ts';
import type { Actor, Services } from '../common/services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { allOf, transfersIn } from '../transfers/repository.ts';
import type { Send } from '../transfers/transfer.ts';
import { ensureFileRemoved } from '../transfers/uploads/operations.ts';
import { uploadsIn } from '../transfers/uploads/repository.ts';
import { transferInProgress } from './errors.ts';

export interface AccountFiles {
  /** Undefined while something is being sent: then only Dropline's own records can be shown. */
  listed: UploadedFile[] | undefined;
  /** Names of this workspace's files on the account. */
  ours: string[];
  /** Listed names that no workspace of this Dropline has uploaded. */
  unexpected: string[];
}

/** How long to wait for the account's lock before the account counts as busy. */
const lockTimeoutMs = 2_000;

/**
 * The files on the account. Not read during a transfer, because reading them adds every upload on the account to what
 * the next createdrop sends.
 */
export async function readUploaded(services: Services, actor: Actor, signal?: AbortSignal): Promise<AccountFiles> {
  await expectAllowed(services, actor, 'send');
  const { exchange } = await connectionOf(withoutCallLimit(services), actor);
  const listed = await ifIdle(services, exchange.account, (guard) => guarded(exchange, guard).listFiles({ signal }));
  const uploads = uploadsIn(services.store);
  const [ours, uploadedNames] = await Promise.all([
    uploads.listNames(exchange.account, actor.workspace),
    uploads.listNames(exchange.account),
  ]);
  const unexpected = (listed ?? []).map(({ name }) => name).filter((name) => !uploadedNames.has(name));
  return { listed, ours: [...ours], unexpected };
}

/** The person's transfers with a planned time, newest last. */
export const readPlanned = ({ store }: Services, { workspace, account, person }: Actor): Promise<Send[]> =>
  allOf(
    transfersIn(store).active({ workspace, account, person, kinds: ['send'], states: ['planned'], limit: maxPlanned }),
  );

const maxPlanned = 20;

/** Deletes files from the account: those in `names`, or all of them. */
export function removeUploaded(services: Services, admin: Actor, names?: readonly string[]): Promise<string[]> {
  return audited(services, admin, 'remove uploaded files', async ({ recordEffect }) => {
    await expectAllowed(services, admin, 'admin');
    const { exchange } = await connectionOf(withoutCallLimit(services), admin);
    const removed = await ifIdle(services, exchange.account, async (guard) => {
      const client = guarded(exchange, guard);
      const listedNames = new Set((await client.listFiles()).map(({ name }) => name));
      const removable = [...listedNames].filter((name) => names?.includes(name) ?? true);
      for (const name of removable) await ensureFileRemoved(client, name);
      await uploadsIn(services.store).forget(exchange.account, new Set(removable));
      return removable;
    });
    if (removed === undefined) throw transferInProgress();
    await recordEffect({ files: removed.map((name) => ({ name })) });
    return removed;
  });
}

/** Clears the recipients that are set on the account. */
export function clearAccountRecipients(services: Services, admin: Actor): Promise<void> {
  return audited(services, admin, 'clear recipients', async ({ recordEffect }) => {
    await expectAllowed(services, admin, 'admin');
    const { exchange } = await connectionOf(withoutCallLimit(services), admin);
    const isCleared = await ifIdle(services, exchange.account, async (guard) => {
      await guarded(exchange, guard).setReceivers([]);
      return true;
    });
    if (isCleared === undefined) throw transferInProgress();
    await recordEffect();
  });
}

/** Skips the limit on concurrent calls: these calls hold the account's lock, so waiting here would block other work. */
const withoutCallLimit = (services: Services): Services => ({ ...services, callLimitOf: undefined });

/** Runs `work` under the account's lock. Resolves with undefined if other work holds the lock. */
async function ifIdle<T>(
  { store }: Services,
  account: string,
  work: (guard: { signal: AbortSignal; check(): Promise<void> }) => Promise<T>,
): Promise<T | undefined> {
  const lockTimeout = new AbortController();
  const timer = setTimeout(() => lockTimeout.abort(new BusyError()), lockTimeoutMs);
  try {
    return await withAccountLock(store, 'transfers', account, lockTimeout.signal, (guard) => {
      clearTimeout(timer);
      return work(guard);
    });
  } catch (error) {
    if (error instanceof BusyError) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

class BusyError extends Error {}
