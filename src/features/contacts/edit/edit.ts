import { setTimeout as sleep } from 'node:timers/promises';
import { DroplineError } from '../../../errors.ts';
import { type Contact, type Exchange, isExchangeError } from '../../../exchange/index.ts';
import type { Actor, Services } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { nameOf, sameContacts } from '../list/same.ts';
import { type Change, type Diff, diffOf, isEmpty } from './diff.ts';
import { type Image, imagesIn } from './images.ts';
import { failureOf, type Reconciled, reconcile, reconcileOpenEdits, restoredIn } from './reconcile.ts';

export interface Edit extends Actor {
  id: string;
  change: Change;
}

export interface Edited extends Pick<Reconciled, 'restored' | 'altered'> {
  added: number;
  updated: number;
  removed: number;
}

/**
 * Changes the local list. All other contacts stay as they are, or are put back. Call it under the account's contacts
 * lock, with an `exchange` that is guarded by it.
 */
export async function editContacts(
  services: Services,
  exchange: Exchange,
  edit: Edit,
  signal: AbortSignal,
): Promise<Edited> {
  const { id, workspace, person, change } = edit;
  const earlier = await doneBefore(services, edit);
  if (earlier !== undefined) return earlier;
  // Interrupted edits are reconciled before the permission check: they must be repaired even if this edit is refused.
  await reconcileOpenEdits(services, exchange, signal);
  const reconciledNow = await doneBefore(services, edit);
  if (reconciledNow !== undefined) return reconciledNow;

  const { settings } = await expectAllowed(services, edit, 'contacts');
  const { contactsOnlyAdd } = settings;
  const lists = await exchange.readContacts();
  const diff = diffOf(lists, change);
  if (isEmpty(diff)) return editedBy({ before: [], after: [], restored: [], altered: [] });
  if (contactsOnlyAdd) expectOnlyAdds(diff);
  const { account } = exchange;
  const image = await imagesIn(services.store).begin({
    workspace,
    person,
    edit: id,
    account,
    before: lists.local,
    after: diff.after,
  });
  const failure = await write(services, exchange, image, contactsOnlyAdd ? diff.added : diff.after, signal);
  const reconciled = await reconcile(services, exchange, image);
  if (reconciled.outcome === 'done') return editedBy(reconciled);
  throw reasonOf(failure, contactsOnlyAdd);
}

/** The result of an earlier attempt that took effect, but died or couldn't read the list before it reported that. */
export async function doneBefore(
  services: Services,
  { workspace, id }: Pick<Edit, 'workspace' | 'id'>,
): Promise<Edited | undefined> {
  const image = await imagesIn(services.store).ofEdit(workspace, id);
  if (image?.outcome !== 'done') return undefined;
  return editedBy({ ...image, restored: await restoredIn(services, image), altered: [] });
}

const mostTries = 3;

/**
 * Sends the list, and retries if no answer came and nothing has changed. Retrying is safe: a request that takes effect
 * late has the same list. Resolves with the failure, if any. Rejects if no request was answered, because one of them
 * can still take effect: the edit stays open, and the next attempt finds out.
 */
async function write(
  { timing }: Services,
  exchange: Exchange,
  { before }: Image,
  list: readonly Contact[],
  signal: AbortSignal,
): Promise<unknown> {
  const isUnchanged = async () => sameContacts((await exchange.readContacts()).local, before);
  // Before Dropline says that nothing changed, or sends another person's list: a late request would undo that list.
  const pause = () => sleep(timing.reconcilePauseMs, undefined, { signal });
  let mayComeLate = false;
  for (let left = mostTries; ; left -= 1) {
    const failure = await failureOf(exchange.replaceContacts(list));
    if (!isExchangeError(failure, 'timeout', 'cut-short', 'unreachable')) {
      if (failure !== undefined && mayComeLate) await pause();
      return failure;
    }
    mayComeLate ||= failure.code !== 'unreachable';
    if (!(await isUnchanged())) return failure;
    // A slow service isn't called three times while others wait for the account.
    if (left > 1 && failure.code !== 'timeout') continue;
    if (!mayComeLate) return failure;
    await pause();
    if (!(await isUnchanged())) return failure;
    throw failure;
  }
}

function reasonOf(failure: unknown, contactsOnlyAdd: boolean): unknown {
  if (failure === undefined) {
    return new DroplineError('unknown', 'The service accepted the change, but its list of contacts does not show it.');
  }
  if (contactsOnlyAdd || !isExchangeError(failure, 'refused', 'changed-format')) return failure;
  return new DroplineError(
    'only-adds',
    'The service refused the list, and nothing was changed. Some services only take contacts that they do not have yet: an admin can switch on “this service only adds” in the settings.',
    { cause: failure },
  );
}

function expectOnlyAdds({ updated, removed }: Diff): void {
  if (updated.length + removed.length === 0) return;
  throw new DroplineError(
    'only-adds',
    'This service only adds contacts (a setting): it can neither change nor remove one. Do that on the service itself.',
    { names: [...updated.map(({ from }) => from), ...removed].map(nameOf) },
  );
}

/** Counts what the edit changed: one contact removed and one added are one update. */
function editedBy({ before, after, restored, altered }: Omit<Reconciled, 'outcome'>): Edited {
  const updated = Math.min(before.length, after.length);
  return { added: after.length - updated, updated, removed: before.length - updated, restored, altered };
}
