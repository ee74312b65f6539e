import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { DroplineError } from '../../../errors.ts';
import { type Contact, type Exchange, isExchangeError } from '../../../exchange/index.ts';
import { defineCollection } from '../../../store/index.ts';
import type { Services } from '../../common/services.ts';
import { changeStored, readSettings } from '../../settings/stored.ts';
import { identityOf, nameOf, without } from '../list/same.ts';
import { type Image, imagesIn } from './images.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export interface Reconciled extends Pick<Verdict, 'outcome' | 'altered'>, Pick<Image, 'before' | 'after'> {
  /** Names of contacts that the edit lost and Dropline put back. */
  restored: string[];
}

/** Finds out how each interrupted edit of this account ended, and repairs what it broke. */
export async function reconcileOpenEdits(services: Services, exchange: Exchange, signal: AbortSignal): Promise<void> {
  for (const image of await imagesIn(services.store).open(exchange.account)) {
    // Its list can still be in flight, and would undo another person's list that is sent now.
    if (image.isRecent && !(await isDone(exchange, image))) {
      await sleep(services.timing.reconcilePauseMs, undefined, { signal });
    }
    await reconcile(services, exchange, image);
  }
}

async function isDone(exchange: Exchange, { before, after }: Image): Promise<boolean> {
  return verdictOf(before, after, (await exchange.readContacts()).local).outcome === 'done';
}

const mostRounds = 4;

/** Finds out which of an edit's two lists the service has, and adds missing contacts until it has one of them. */
export async function reconcile(services: Services, exchange: Exchange, begun: Image): Promise<Reconciled> {
  let image = begun;
  let expected = Number.POSITIVE_INFINITY;
  for (let round = 0; round < mostRounds; round += 1) {
    const { local: now } = await exchange.readContacts();
    const verdict = verdictOf(image.before, image.after, now);
    // All contacts that were put back are there, but with differences: sending them again would only duplicate them.
    if (verdict.missing.length === 0 || now.length >= expected) return close(services, image, verdict);
    await recordRestored(services, image, verdict.missing);
    image = await putBack(services, exchange, image, now, verdict.missing);
    expected = now.length + verdict.missing.length;
  }
  const names = await restoredIn(services, image);
  throw new DroplineError('unknown', 'Contacts are missing on the service and could not be put back yet.', { names });
}

async function close(services: Services, image: Image, verdict: Verdict): Promise<Reconciled> {
  const { outcome } = verdict;
  const changed = { before: without(image.before, image.after), after: without(image.after, image.before) };
  const altered = new Set([...verdict.altered, ...verdict.missing.map(nameOf)]);
  const restored = (await restoredIn(services, image)).filter((name) => !altered.has(name));
  const { workspace, person } = image;
  // Before the edit is closed: after a crash in between, no later attempt would find anything wrong.
  const emails = [...restored, ...altered].slice(0, bounds.namesInError);
  if (emails.length > 0) await services.notifier.alarm(workspace, { kind: 'contacts-restored', person, emails });
  await imagesIn(services.store).close(image, outcome, changed);
  return { outcome, altered: [...altered].slice(0, bounds.namesInError), restored, ...changed };
}

/** Adds the missing contacts to the current list. Never removes any, not even unknown ones. */
async function putBack(
  services: Services,
  exchange: Exchange,
  image: Image,
  now: readonly Contact[],
  missing: readonly Contact[],
): Promise<Image> {
  const { contactsOnlyAdd } = await readSettings(services, image.workspace);
  const failure = await failureOf(exchange.replaceContacts([...now, ...missing]));
  const mayBeDone = failure === undefined || isExchangeError(failure, 'timeout', 'cut-short');
  // If the service accepts contacts that it already has, it replaces its list. Then an earlier add-only call has deleted
  // the others.
  if (contactsOnlyAdd && mayBeDone && now.length > 0) await recordReplaces(services, image.workspace);
  if (failure === undefined) return image;
  if (!isExchangeError(failure, 'refused', 'changed-format')) throw failure;
  if (!contactsOnlyAdd) throw cannotPutBack(missing, failure);
  // The next call deletes all other contacts if the service replaces its list after all. Record them first, so that they
  // can be restored.
  const known = new Set([...image.before, ...image.after].map(identityOf));
  const unexpected = now.filter((contact) => !known.has(identityOf(contact)));
  const extended = unexpected.length === 0 ? image : await imagesIn(services.store).extend(image, unexpected);
  await exchange.replaceContacts(missing);
  return extended;
}

async function recordReplaces(services: Services, workspace: string): Promise<void> {
  await changeStored(services, workspace, (settings) => ({ ...settings, contactsOnlyAdd: false }));
}

export function failureOf(call: Promise<void>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function cannotPutBack(missing: readonly Contact[], cause: unknown): DroplineError {
  return new DroplineError(
    'unknown',
    'Contacts are missing on the service, which refuses the list that would put them back. If it only adds contacts, an admin can say so in the settings.',
    { names: missing.map(nameOf), cause },
  );
}

/** Recorded before contacts are put back: after a crash, nothing else would show that they were missing. */
const restoredNames = defineCollection('contacts-mended', z.array(z.string()));
const restoredLifeMs = 30 * 86_400_000;

async function recordRestored(services: Services, image: Image, missing: readonly Contact[]): Promise<void> {
  const had = new Set(image.before.map(identityOf));
  // A contact that the edit itself adds isn't lost if it is absent.
  const lost = missing.filter((contact) => had.has(identityOf(contact))).map(nameOf);
  const names = [...new Set([...(await restoredIn(services, image)), ...lost])].slice(0, bounds.namesInError);
  if (names.length > 0) {
    await services.store
      .collection(restoredNames)
      .set(image.workspace, names, { name: image.id, ttlMs: restoredLifeMs });
  }
}

export async function restoredIn(services: Services, { workspace, id }: Image): Promise<string[]> {
  return (await services.store.collection(restoredNames).get(workspace, id)) ?? [];
}
