import { setTimeout as sleep } from 'node:timers/promises';
import { DroplineError } from '../../errors.ts';
import { type Contact, type Exchange, isExchangeError } from '../../exchange/index.ts';
import type { Actor, Services } from '../services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { type Change, type Diff, diffOf, isEmpty } from './diff.ts';
import { type Image, imagesOf } from './images.ts';
import { failureOf, type Reconciled, reconcile, reconcileOpenEdits, restoredIn } from './reconcile.ts';
import { nameOf, sameContacts } from './same.ts';

export interface Edit extends Actor {
  id: string;
  change: Change;
}

export interface Edited extends Pick<Reconciled, 'mended' | 'altered'> {
  added: number;
  updated: number;
  removed: number;
}

/**
 * Changes the local list and leaves all other contacts as they are, or puts them back. To be called under the contacts
 * lock of the account; `exchange` is fenced by it.
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
  // Whatever was broken off is mended first, also on behalf of somebody who may change nothing any more.
  await reconcileOpenEdits(services, exchange, signal);
  const settledNow = await doneBefore(services, edit);
  if (settledNow !== undefined) return settledNow;

  const { settings } = await expectAllowed(services, edit, 'contacts');
  const { contactsOnlyAdd } = settings;
  const lists = await exchange.readContacts();
  const diff = diffOf(lists, change);
  if (isEmpty(diff)) return editedBy({ before: [], after: [], mended: [], altered: [] });
  if (contactsOnlyAdd) expectOnlyAdds(diff);
  const { account } = exchange;
  const image = await imagesOf(services.store).begin({
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

/** What an earlier attempt has done, whoever found that out: it died, or could not read the list, before it was told. */
export async function doneBefore(
  services: Services,
  { workspace, id }: Pick<Edit, 'workspace' | 'id'>,
): Promise<Edited | undefined> {
  const image = await imagesOf(services.store).ofEdit(workspace, id);
  if (image?.outcome !== 'done') return undefined;
  return editedBy({ ...image, mended: await restoredIn(services, image), altered: [] });
}

const mostTries = 3;

/**
 * Sends the list, and sends it again where no answer came and nothing was changed: should an earlier one be carried out
 * late, it says the same as the one that was answered. Resolves with the failure, if there was one. Rejects where none was
 * answered, so that nobody can say yet that nothing was changed: the edit stays open, and the next attempt finds out.
 */
async function write(
  { timing }: Services,
  exchange: Exchange,
  { before }: Image,
  list: readonly Contact[],
  signal: AbortSignal,
): Promise<unknown> {
  const isUnchanged = async () => sameContacts((await exchange.readContacts()).local, before);
  // Before it is said that nothing was changed, and before somebody else's list is sent, which a late one would undo.
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
    // One that takes its time is not asked three times over while others wait for the account.
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

/** Counted by what the edit was about: one that went and one that came are one that was changed. */
function editedBy({ before, after, mended, altered }: Omit<Reconciled, 'outcome'>): Edited {
  const updated = Math.min(before.length, after.length);
  return { added: after.length - updated, updated, removed: before.length - updated, mended, altered };
}
