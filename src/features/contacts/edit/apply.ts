import { setTimeout as sleep } from 'node:timers/promises';
import { type Contact, type Exchange, isExchangeError } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import type { Services } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { nameOf, sameContacts } from '../list/compare.ts';
import { type Diff, diffOf, isEmpty } from './diff.ts';
import { editNotShown, listRejected, listTooLarge, onlyAdds } from './errors.ts';
import { type EditResult, failureOf, reconcile, reconcileOpenEdits, resultOf } from './reconcile.ts';
import { type Edit, editsIn, type SentEdit } from './repository.ts';

/**
 * Changes the local list. If the service loses other contacts, they are restored. The caller holds the account's
 * contacts lock and passes an `exchange` that is guarded by that lock.
 */
export async function editContacts(
  services: Services,
  exchange: Exchange,
  edit: Edit,
  signal: AbortSignal,
): Promise<EditResult> {
  const earlier = await earlierResult(services, edit);
  if (earlier !== undefined) return earlier;
  // Reconcile before the permission check: interrupted edits must be repaired even if this edit is refused.
  await reconcileOpenEdits(services, exchange, signal);
  const reconciledResult = await earlierResult(services, edit);
  if (reconciledResult !== undefined) return reconciledResult;

  const { settings } = await expectAllowed(services, edit, 'contacts');
  const { contactsOnlyAdd } = settings;
  const lists = await exchange.readContacts();
  const diff = diffOf(lists, edit.change);
  if (isEmpty(diff)) return resultOf({ before: [], after: [], restored: [], altered: [] });
  if (contactsOnlyAdd) expectOnlyAdds(diff);
  expectStorable(lists.local);
  expectStorable(diff.after);
  const sent = await editsIn(services.store).begin(edit, { before: lists.local, after: diff.after });
  const failure = await sendList(services, exchange, sent, contactsOnlyAdd ? diff.added : diff.after, signal);
  const reconciled = await reconcile(services, exchange, sent);
  if (reconciled.outcome === 'done') return resultOf(reconciled);
  throw errorFor(failure, contactsOnlyAdd);
}

/** The result of an earlier attempt that took effect, but was interrupted before it could report success. */
export async function earlierResult(
  services: Services,
  { workspace, id }: Pick<Edit, 'workspace' | 'id'>,
): Promise<EditResult | undefined> {
  const sent = await editsIn(services.store).readSent(workspace, id);
  if (sent?.outcome !== 'done') return undefined;
  return resultOf({ ...sent, altered: [] });
}

const maxTries = 3;

/**
 * Sends the list. Retries if the connection failed and the list on the service is unchanged: this is safe, because a
 * request that takes effect late has the same list. Resolves with the failure, if any. Rejects if the list is still
 * unchanged and a request without an answer can take effect: the edit stays open, and the next attempt reconciles it.
 */
async function sendList(
  { timing }: Services,
  exchange: Exchange,
  { before }: SentEdit,
  list: readonly Contact[],
  signal: AbortSignal,
): Promise<unknown> {
  const isUnchanged = async () => sameContacts((await exchange.readContacts()).local, before);
  // A request without an answer would overwrite the list of the next edit. So wait for it before reporting a failure.
  const waitForLateRequest = () => sleep(timing.reconcilePauseMs, undefined, { signal });
  let isInFlight = false;
  let failure: unknown;
  for (let tries = 0; tries < maxTries; tries += 1) {
    failure = await failureOf(exchange.replaceContacts(list));
    if (failure === undefined) return undefined;
    if (!isExchangeError(failure, 'timeout', 'cut-short', 'unreachable')) {
      if (isInFlight) await waitForLateRequest();
      return failure;
    }
    isInFlight ||= failure.code !== 'unreachable';
    if (!(await isUnchanged())) return failure;
    // Don't retry a slow service: other edits wait for the account.
    if (failure.code === 'timeout') break;
  }
  if (!isInFlight) return failure;
  await waitForLateRequest();
  if (await isUnchanged()) throw failure;
  return failure;
}

function errorFor(failure: unknown, contactsOnlyAdd: boolean): unknown {
  if (failure === undefined) return editNotShown();
  if (contactsOnlyAdd || !isExchangeError(failure, 'refused', 'changed-format')) return failure;
  return listRejected(failure);
}

/** An edit stores the list before it and the list after it, to restore what the service loses. */
function expectStorable(contacts: readonly Contact[]): void {
  const bytes = contacts.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  if (bytes > bounds.contactListBytes) throw listTooLarge();
}

function expectOnlyAdds({ updated, removed }: Diff): void {
  if (updated.length + removed.length === 0) return;
  throw onlyAdds([...updated.map(({ from }) => from), ...removed].map(nameOf));
}
