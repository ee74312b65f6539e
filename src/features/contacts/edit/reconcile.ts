import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Contact, type Exchange, isExchangeError } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { inTransaction } from '../../../store/index.ts';
import type { Services } from '../../common/services.ts';
import { readSettings, updateSettings } from '../../settings/repository.ts';
import {
  changeTexts,
  createMultiset,
  identityOf,
  nameOf,
  sameContacts,
  visibleFieldsOf,
  without,
} from '../list/compare.ts';
import { auditedEmails } from './diff.ts';
import { contactsMissing, restoreRejected } from './errors.ts';
import { editsIn, type SentEdit, type SentOutcome } from './repository.ts';

export interface Reconciled extends Pick<FoundOutcome, 'outcome' | 'altered'>, Pick<SentEdit, 'before' | 'after'> {
  /** Names of contacts that the edit lost and Dropline put back. */
  restored: string[];
}

export interface EditResult extends Pick<Reconciled, 'restored' | 'altered'> {
  added: number;
  updated: number;
  removed: number;
}

/** Finds out how each interrupted edit of this account ended, and repairs what it broke. */
export async function reconcileOpenEdits(services: Services, exchange: Exchange, signal: AbortSignal): Promise<void> {
  for (const edit of await editsIn(services.store).listOpen(exchange.account)) {
    // The edit's list can still be in flight, and would overwrite the next list that is sent.
    if (edit.isRecent && !(await isDone(exchange, edit))) {
      await sleep(services.timing.reconcilePauseMs, undefined, { signal });
    }
    await reconcile(services, exchange, edit);
  }
}

async function isDone(exchange: Exchange, { before, after }: SentEdit): Promise<boolean> {
  return findOutcome(before, after, (await exchange.readContacts()).local).outcome === 'done';
}

const maxRounds = 4;

/**
 * Finds out whether the service has the list before or after the edit. Restores missing contacts and closes the edit.
 */
export async function reconcile(services: Services, exchange: Exchange, openEdit: SentEdit): Promise<Reconciled> {
  let edit = openEdit;
  let expectedCount = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxRounds; round += 1) {
    const { local: current } = await exchange.readContacts();
    const { outcome, missing, altered } = findOutcome(edit.before, edit.after, current);
    // If the count is right, the restored contacts are there with differences. Sending them again would create
    // duplicates.
    if (missing.length === 0 || current.length >= expectedCount)
      return closeEdit(services, edit, { outcome, missing, altered });
    // Record them before they are restored: after a crash, nothing else shows that they were missing.
    edit = await editsIn(services.store).recordRestored(edit, lostBy(edit, missing));
    edit = await restoreMissing(services, exchange, edit, current, missing);
    expectedCount = current.length + missing.length;
  }
  throw contactsMissing(edit.restored);
}

async function closeEdit(services: Services, edit: SentEdit, found: FoundOutcome): Promise<Reconciled> {
  const { outcome } = found;
  const changed = { before: without(edit.before, edit.after), after: without(edit.after, edit.before) };
  const altered = new Set([...found.altered, ...found.missing.map(nameOf)]);
  const restored = edit.restored.filter((name) => !altered.has(name));
  const { person } = edit;
  // Raise the alarm before closing the edit: a closed edit isn't reconciled again, so a crash would hide the loss.
  const emails = [...restored, ...altered].slice(0, bounds.namesInError);
  if (emails.length > 0) await services.notifier.alarm(edit, { kind: 'contacts-restored', person, emails });
  const reconciled = { outcome, altered: [...altered].slice(0, bounds.namesInError), restored, ...changed };
  await inTransaction(services.store.pool, async (client) => {
    await editsIn(services.store).close(client, edit, outcome, changed);
    if (outcome === 'done') await recordDone(services, edit, reconciled, client);
  });
  return reconciled;
}

/** Records an edit that took effect. Once its person was told of the outcome, the requested change is deleted. */
async function recordDone(
  { store, log }: Services,
  { id, workspace, account, person }: SentEdit,
  reconciled: Reconciled,
  client: pg.ClientBase,
): Promise<void> {
  const { change } = (await editsIn(store).readRequest(workspace, id)) ?? {};
  const contacts = change && auditedEmails(change);
  const details = { edit: id, contacts, changes: changeTexts(reconciled), ...resultOf(reconciled) };
  const entry = {
    workspace,
    person,
    action: `contacts ${change?.kind ?? 'edit'}`,
    outcome: 'done',
    reference: id,
  } as const;
  await store.audit.record({ ...entry, account, details }, client);
  log.info({ ...entry, operation: entry.action }, 'operation');
}

/** Counts the changes of an edit. A removed and an added contact count as one update. */
export function resultOf({ before, after, restored, altered }: Omit<Reconciled, 'outcome'>): EditResult {
  const updated = Math.min(before.length, after.length);
  return { added: after.length - updated, updated, removed: before.length - updated, restored, altered };
}

/**
 * Sends the current list with the missing contacts added. An add-only service refuses that and gets only the missing
 * ones.
 */
async function restoreMissing(
  services: Services,
  exchange: Exchange,
  edit: SentEdit,
  current: readonly Contact[],
  missing: readonly Contact[],
): Promise<SentEdit> {
  const { contactsOnlyAdd } = await readSettings(services, edit);
  const failure = await failureOf(exchange.replaceContacts([...current, ...missing]));
  const isPossiblyDone = failure === undefined || isExchangeError(failure, 'timeout', 'cut-short');
  // A service that accepts contacts it already has replaces its list. So the add-only setting is wrong: an earlier call
  // with only the new contacts has deleted all others.
  if (contactsOnlyAdd && isPossiblyDone && current.length > 0)
    await updateSettings(services, edit, (settings) => ({ ...settings, contactsOnlyAdd: false }));
  if (failure === undefined) return edit;
  if (!isExchangeError(failure, 'refused', 'changed-format')) throw failure;
  if (!contactsOnlyAdd) throw restoreRejected(missing.map(nameOf), failure);
  // If the service replaces its list after all, the next call deletes all other contacts. Record them first, so that
  // they can be restored.
  const expected = new Set([...edit.before, ...edit.after].map(identityOf));
  const unexpected = current.filter((contact) => !expected.has(identityOf(contact)));
  const extended = unexpected.length === 0 ? edit : await editsIn(services.store).extend(edit, unexpected);
  await exchange.replaceContacts(missing);
  return extended;
}

export function failureOf(call: Promise<void>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The names of contacts that this edit lost. A contact that the edit adds wasn't on the service, so it isn't lost. */
function lostBy({ before }: SentEdit, missing: readonly Contact[]): string[] {
  const oldIdentities = new Set(before.map(identityOf));
  return missing.filter((contact) => oldIdentities.has(identityOf(contact))).map(nameOf);
}

export interface FoundOutcome {
  outcome: SentOutcome;
  /** Contacts to restore: they should be on the service and aren't. */
  missing: Contact[];
  /** Names of contacts that have changed, although the edit didn't change them. */
  altered: string[];
}

/** Determines an edit's outcome from the lists `before` and `after` it, and the `current` list on the service. */
export function findOutcome(
  before: readonly Contact[],
  after: readonly Contact[],
  current: readonly Contact[],
): FoundOutcome {
  if (sameContacts(current, after)) return { outcome: 'done', missing: [], altered: [] };
  if (sameContacts(current, before)) return { outcome: 'not done', missing: [], altered: [] };
  const present = new Set(current.map(identityOf));
  const wanted = without(after, before);
  const unwanted = without(before, after);
  const afterIdentities = new Set(after.map(identityOf));
  // If one contact replaces one other, its address was edited: while the old address is present, nothing is missing.
  const [renamed] = unwanted.filter((contact) => !afterIdentities.has(identityOf(contact)));
  const isOneForOne = wanted.length === 1 && unwanted.length === 1 && renamed !== undefined;
  const isOldAddressPresent = isOneForOne && present.has(identityOf(renamed));
  const missing = after.filter(
    (contact) => !present.has(identityOf(contact)) && !(isOldAddressPresent && wanted.includes(contact)),
  );
  // Count contacts that look the same: a service can merge two whose addresses differ only in case.
  const visible = createMultiset(current.map(visibleFieldsOf));
  const notFound = new Set(after.filter((contact) => !visible.take(visibleFieldsOf(contact))));
  const isDone =
    wanted.every((contact) => !notFound.has(contact)) &&
    unwanted.every((contact) => afterIdentities.has(identityOf(contact)) || !present.has(identityOf(contact)));
  const altered = without([...notFound], wanted).filter((contact) => present.has(identityOf(contact)));
  return { outcome: isDone ? 'done' : 'not done', missing, altered: altered.map(nameOf) };
}
