import type { ContactLists, Exchange } from '../../exchange/index.ts';
import { bounds } from '../../lib/bounds.ts';
import { isDroplineError } from '../../lib/errors.ts';
import type { Digest } from '../../lib/hashed.ts';
import { endOfDay } from '../../lib/time-zone.ts';
import type { Services } from '../common/services.ts';
import { type Chosen, contactsByAddress } from '../contacts/list/ids.ts';
import { expandRecipients } from '../recipients/operations.ts';
import { expectScannable } from '../scanning/operations.ts';
import { notAWholeNumber } from '../settings/errors.ts';
import { durationUntil, expectExpiryOrDate } from '../settings/expiry.ts';
import { type Access, expectAllowed, isDomainAllowed } from '../settings/permission.ts';
import { expectFilesAllowed } from '../settings/policies/checks.ts';
import type { Settings } from '../settings/repository.ts';
import {
  dateUnusable,
  expiryTooLong,
  fileChanged,
  fileRefused,
  recipientsChanged,
  recipientsGone,
  recipientsMissing,
  recipientsNotAllowed,
  recipientsTooLarge,
  tooMany,
} from './errors.ts';
import { transfersIn } from './repository.ts';
import { filesOf, type Transfer, type TransferFile } from './transfer.ts';

/** Checks that the settings still allow the transfer, and that its recipients are as they were confirmed. */
export async function expectStillValid(
  services: Services,
  exchange: Exchange,
  transfer: Transfer,
  permission: 'send' | 'request',
): Promise<Access> {
  const { recipients } = transfer;
  const files = filesOf(transfer);
  const access = await expectAllowed(services, transfer, permission);
  const { settings } = access;
  expectRecipientsAllowed(settings, recipients);
  const zone = await services.people.zoneOf(transfer);
  expectTimeAllowed(settings, currentExpiresAfter(settings, transfer, zone));
  expectFilesAllowed(settings, files);
  await expectScannable(services, settings, files);
  const { local, global } = await exchange.readContacts();
  // An address can be in both lists, with a different number in each.
  const contactKeys = new Set([...global, ...local].map(keyOf));
  const changed = recipients.filter((recipient) => !contactKeys.has(keyOf(recipient)));
  if (changed.length > 0) throw recipientsChanged(changed.map(({ email }) => email));
  return access;
}

/** Checks that Slack has the file as it was reviewed. Call right before it is read. */
export async function expectUnchanged(
  { sources }: Pick<Services, 'sources'>,
  workspace: string,
  { id, name, size, stamp, sha256 }: TransferFile,
  signal: AbortSignal,
): Promise<void> {
  const current = await sources.inspect(workspace, id, { isFresh: true, signal }).catch((error: unknown) => {
    throw refusedFile(name, error);
  });
  if (current === undefined) throw fileChanged(name, true);
  const isUnhashed = current.isSnippet && sha256 === undefined;
  if (current.size !== size || current.stamp !== stamp || isUnhashed) throw fileChanged(name);
}

/** Rejects unless a file has the bytes that it had at the review, or when it was first read as a whole. */
export async function expectSameBytes(
  { store }: Pick<Services, 'store'>,
  transfer: string,
  { id, name, sha256 }: TransferFile,
  read: Digest,
): Promise<void> {
  const isReviewed = sha256 === undefined || sha256 === read.sha256;
  if (!isReviewed || !(await transfersIn(store).recordHash(transfer, id, read.sha256))) throw fileChanged(name);
}

/**
 * The error to throw if Slack refuses a file. For a temporary refusal, it is the cause, so that the job retries. Any
 * other refusal ends the transfer.
 */
function refusedFile(name: string, error: unknown): unknown {
  if (isDroplineError(error, 'busy') && error.cause !== undefined) return error.cause;
  return isDroplineError(error, 'busy', 'invalid') ? fileRefused(name, error) : error;
}

const keyOf = ({ email, number }: { email?: string; number?: string }) => JSON.stringify([email, number ?? '']);

/** If an admin has limited the domains, rejects recipients in any other domain. */
export function expectRecipientsAllowed(settings: Settings, recipients: readonly { email: string }[]): void {
  const names = recipients.map(({ email }) => email).filter((email) => !isDomainAllowed(settings, email));
  if (names.length > 0) throw recipientsNotAllowed(names, settings.recipientDomains);
}

/** Returns the chosen contacts, with groups expanded. Throws if they can't be recipients of one transfer. */
export function expectRecipients(
  settings: Settings,
  lists: ContactLists,
  chosen: Chosen,
  noun: 'recipient' | 'contact',
) {
  const contacts = expandRecipients(lists, chosen);
  if (contacts.length === 0) throw recipientsMissing(noun);
  expectRecipientsAllowed(settings, contacts);
  expectReviewable('recipients', contacts.length, bounds.recipients, 'recipients');
  const sizes = contacts.map(({ json }) => Buffer.byteLength(json));
  if (sizes.reduce((sum, bytes) => sum + bytes) > bounds.recipientBytes)
    throw recipientsTooLarge(contacts[sizes.indexOf(Math.max(...sizes))]?.email ?? '');
  return contacts;
}

interface EnteredExpiry {
  expiresAfter: number;
  /** Set if a date was entered. Then `expiresAfter` isn't used. */
  expiryDate?: string;
}

/** What a repeated transfer can still use, and notices of what it can't. */
export interface Repeatable {
  chosen: Chosen;
  expiresAfter: number;
  expiryDate?: string;
  notices: string[];
}

/** Leaves out recipients who are no longer contacts or no longer allowed. Throws if no recipient remains. */
export function expectRepeatable(
  settings: Settings,
  lists: ContactLists,
  { recipients, ...expiry }: Pick<Chosen, 'recipients'> & EnteredExpiry,
  zone: string,
): Repeatable {
  const contacts = contactsByAddress(lists);
  const removed = recipients.filter((email) => !contacts.has(email.toLowerCase()));
  const current = recipients.filter((email) => !removed.includes(email));
  const refused = current.filter((email) => !isDomainAllowed(settings, email));
  const notices = [
    ...(removed.length === 0 ? [] : [`No longer in your contacts: ${removed.join(', ')}.`]),
    ...(refused.length === 0 ? [] : [`Not allowed in this workspace: ${refused.join(', ')}.`]),
  ];
  const remaining = current.filter((email) => !refused.includes(email));
  if (remaining.length === 0) throw recipientsGone(notices);
  const repeated = repeatedExpiry(settings, expiry, zone);
  return { ...repeated, chosen: { recipients: remaining, groups: [] }, notices: [...notices, ...repeated.notices] };
}

/** The expiry of a repeated transfer, up to the maximum. The default if the chosen date can no longer be used. */
function repeatedExpiry(settings: Settings, { expiresAfter, expiryDate }: EnteredExpiry, zone: string) {
  const { expiryUnit, expiryDefault, expiryLongest = Number.POSITIVE_INFINITY } = settings;
  const remaining = expiryDate === undefined ? expiresAfter : durationUntil(expiryDate, expiryUnit, zone);
  if (remaining === undefined) {
    const notice = `The expiry date ${expiryDate} can't be used any longer. The default expiry is used.`;
    return { expiresAfter: expiryDefault, notices: [notice] };
  }
  if (remaining <= expiryLongest) return { expiresAfter: remaining, expiryDate, notices: [] };
  return { expiresAfter: expiryLongest, notices: ['The expiry was shortened to the maximum in this workspace.'] };
}

export function expectFileCount(files: readonly unknown[]): void {
  expectReviewable('files', files.length, bounds.files, 'files');
}

/** Limits recipients and files to what fits into a review: people must see everything that they confirm. */
function expectReviewable(noun: string, count: number, max: number, field: string): void {
  if (count > max) throw tooMany(field, noun, count, max);
}

/**
 * The time to live to send now. For a chosen date, it is what is left until the end of that day in the sender's zone.
 */
export function currentExpiresAfter(
  { expiryUnit }: Settings,
  { expiresAfter, expiryDate }: EnteredExpiry,
  zone: string,
  now = Date.now(),
): number {
  if (expiryDate === undefined) return expiresAfter;
  const remaining = durationUntil(expiryDate, expiryUnit, zone, now);
  if (remaining !== undefined) return remaining;
  if (endOfDay(expiryDate, zone) <= now) throw dateUnusable(expiryDate, 'passed');
  throw dateUnusable(expiryDate, expiryUnit === 'own' ? 'unit-unknown' : 'too-soon');
}

/** The time to live that was entered, or what is left until the date that was entered. */
export function expectExpiry(settings: Settings, { expiresAfter, expiryDate }: EnteredExpiry, zone: string): number {
  const value =
    expiryDate === undefined ? expiresAfter : expectExpiryOrDate(expiryDate, settings.expiryUnit, 'expiresAfter', zone);
  expectTimeAllowed(settings, value);
  return value;
}

export function expectTimeAllowed({ expiryUnit, expiryLongest }: Settings, expiresAfter: number): void {
  if (!Number.isInteger(expiresAfter) || expiresAfter < 1) throw notAWholeNumber('expiresAfter');
  if (expiryLongest === undefined || expiresAfter <= expiryLongest) return;
  throw expiryTooLong(expiryUnit === 'own' ? String(expiryLongest) : `${expiryLongest} ${expiryUnit}`);
}
