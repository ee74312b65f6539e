import { bounds } from '../../bounds.ts';
import { DroplineError, isDroplineError } from '../../errors.ts';
import type { UploadedFile } from '../../exchange/index.ts';
import { withAccountLock } from '../account-lock.ts';
import { audited } from '../audited.ts';
import { connectionOf } from '../connection.ts';
import { changeDraft, type Draft, readDraft } from '../draft.ts';
import { guarded } from '../guarded.ts';
import type { Actor, Services, SourceFile } from '../services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { removeOne } from '../transfers/clean-up.ts';
import { uploadsOf } from '../transfers/uploads.ts';

/** Puts files aside for the next dispatch. On the account they would be sent along with anybody's. */
export async function stageFiles(
  services: Services,
  actor: Actor,
  ids: readonly string[],
  looked: Draft['files'] = [],
): Promise<string[]> {
  await expectAllowed(services, actor, 'send');
  const { tray: staged } = await changeDraft(services, actor, (draft) => {
    const all = [...new Set([...draft.tray, ...ids])];
    const others = draft.files.filter(({ id }) => !looked.some((one) => one.id === id));
    if (all.length > bounds.filesStaged)
      throw new DroplineError('invalid', `At most ${bounds.filesStaged} files can be put aside.`);
    return { tray: all, files: [...others, ...looked] };
  });
  return staged;
}

export async function unstageFile(services: Services, actor: Actor, ids: readonly string[]): Promise<string[]> {
  await expectAllowed(services, actor, 'look');
  const { tray: staged } = await changeDraft(services, actor, (draft) => ({
    tray: draft.tray.filter((id) => !ids.includes(id)),
  }));
  return staged;
}

export interface LookedAt {
  id: string;
  /** Undefined where it is gone, or cannot be sent. */
  file: SourceFile | undefined;
  /** Of one that is gone or cannot be sent, as far as that is known. */
  name?: string | undefined;
  /** Why it cannot be sent. */
  problem?: string;
}

/**
 * Looks at each for itself: one that cannot be sent must not keep people from the others. Slack takes about 100 calls a
 * minute: many files are shown as they were stored, and reviewed as they were within the last minute.
 */
export function lookAtFiles(
  { sources }: Pick<Services, 'sources'>,
  workspace: string,
  ids: readonly string[],
  { files, isReview = false }: { files: Draft['files']; isReview?: boolean },
): Promise<LookedAt[]> {
  const isFew = ids.length <= bounds.filesLookedUp;
  return Promise.all(
    ids.map(async (id) => {
      const known = files.find((file) => file.id === id);
      if (known !== undefined && !isFew && !isReview) return { id, file: known };
      try {
        const file = await sources.look(workspace, id, { isFresh: isReview && isFew, known });
        return file === undefined ? { id, file, name: known?.name } : { id, file };
      } catch (error) {
        if (!isDroplineError(error, 'invalid', 'busy')) throw error;
        // Some problems say the name themselves.
        const name = error.names.length === 0 ? known?.name : undefined;
        return { id, file: undefined, name, problem: error.message };
      }
    }),
  );
}

export async function readStaged(services: Services, actor: Actor): Promise<LookedAt[]> {
  const draft = await readDraft(services, actor);
  return lookAtFiles(services, actor.workspace, draft.tray, draft);
}

export interface OnAccount {
  /** Undefined while something is being sent: then only what we know ourselves can be told. */
  listed: UploadedFile[] | undefined;
  /** Names under which files of this workspace lie there. */
  ours: string[];
  /** Names among those listed that no workspace of ours has put there. */
  unexpected: string[];
}

/** How long somebody waits for the account before being told that it is busy. */
const patienceMs = 2_000;

/** What lies on the account now. Looking initialises the service's list, so it is not done beside a dispatch. */
export async function readUploaded(services: Services, actor: Actor, signal?: AbortSignal): Promise<OnAccount> {
  await expectAllowed(services, actor, 'send');
  const { exchange } = await connectionOf(atOnce(services), actor.workspace);
  const listed = await whileIdle(services, exchange.account, (guard) => guarded(exchange, guard).listFiles({ signal }));
  const uploads = uploadsOf(services.store);
  const [ours, all] = await Promise.all([
    uploads.names(exchange.account, actor.workspace),
    uploads.names(exchange.account),
  ]);
  const unexpected = (listed ?? []).map(({ name }) => name).filter((name) => !all.has(name));
  return { listed, ours: [...ours], unexpected };
}

/** Removes files from the account: all of them, or those named. */
export function removeUploaded(services: Services, admin: Actor, names?: readonly string[]): Promise<string[]> {
  return audited(services, admin, 'remove uploaded files', async ({ note }) => {
    await expectAllowed(services, admin, 'admin');
    const { exchange } = await connectionOf(atOnce(services), admin.workspace);
    const removed = await whileIdle(services, exchange.account, async (guard) => {
      const client = guarded(exchange, guard);
      const there = new Set((await client.listFiles()).map(({ name }) => name));
      const wanted = [...there].filter((name) => names?.includes(name) ?? true);
      for (const name of wanted) await removeOne(client, name);
      await uploadsOf(services.store).forget(exchange.account, new Set(wanted));
      return wanted;
    });
    if (removed === undefined) throw busy();
    note({ removed });
    return removed;
  });
}

/** Nobody is set as a receiver on the account any more. */
export function clearAccountRecipients(services: Services, admin: Actor): Promise<void> {
  return audited(services, admin, 'clear receivers', async () => {
    await expectAllowed(services, admin, 'admin');
    const { exchange } = await connectionOf(atOnce(services), admin.workspace);
    const done = await whileIdle(services, exchange.account, async (guard) => {
      await guarded(exchange, guard).setReceivers([]);
      return true;
    });
    if (done === undefined) throw busy();
  });
}

/** Under the lock of the account, others wait for each call: it takes no turn. */
const atOnce = (services: Services): Services => ({ ...services, turnOf: undefined });

const busy = () =>
  new DroplineError('held', 'Something is being sent from the account right now. Try again when it has ended.');

/** Undefined where somebody else works on the account. */
async function whileIdle<T>(
  { store }: Services,
  account: string,
  work: (guard: { signal: AbortSignal; check(): Promise<void> }) => Promise<T>,
): Promise<T | undefined> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(new BusyError()), patienceMs);
  try {
    return await withAccountLock(store, 'outgoing', account, waiting.signal, (guard) => {
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
