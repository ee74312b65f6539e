import { DroplineError } from '../../lib/errors.ts';
import { type ReceiptEntry, receiptFile, signedTextOf } from '../../lib/receipt.ts';
import type { AuditEntry, AuditFields, AuditFilter } from '../../store/index.ts';
import { audited } from '../common/audited.ts';
import { deskOf } from '../common/connection.ts';
import type { Actor, InboxItem, Services } from '../common/services.ts';
import { findItem } from '../inbox/items/operations.ts';
import { expectAllowed } from '../settings/permission.ts';
import { transferNotFound } from '../transfers/errors.ts';
import { entryHashesIn } from '../transfers/history/repository.ts';

/** What a receipt is about: a transfer by its id, or the downloads of an inbox item by its id. */
export interface Subject {
  /** `transfer` or `downloads`. */
  about: string;
  id: string;
}

interface Evidence {
  account: string;
  /** The filters of its audit entries; each has one. */
  filters: (AuditFilter & { isOne(entry: AuditEntry): boolean })[];
  doesNotProve: string;
}

/** Rejects unless the person sees the transfer or the item now. */
export async function readEvidence(services: Services, actor: Actor, { about, id }: Subject): Promise<Evidence> {
  const { workspace } = actor;
  if (about === 'transfer') {
    const transfer = await entryHashesIn(services.store).recorded(workspace, id);
    if (transfer === undefined || (actor.account ?? transfer.account) !== transfer.account) throw transferNotFound();
    const { person, account } = transfer;
    await expectAllowed(services, actor, 'history', transfer);
    const isOne = ({ action }: AuditEntry) => action === 'send' || action === 'request';
    const doesNotProve = 'That anyone downloaded or read the files.';
    return { account, filters: [{ person, reference: id, isOne }], doesNotProve };
  }
  const access = await expectAllowed(services, actor, 'download');
  const { downloads } = await findItem(services, actor, access, id);
  const { account } = await deskOf(services, actor);
  const filters = downloads.slice(-maxDownloads).map(filterOf);
  return { account, filters, doesNotProve: 'That anyone opened or read the files after they were delivered.' };
}

const maxDownloads = 100;

/** A download is recorded with its item, then in the audit, in one transaction. */
function filterOf({ person, file, at, sha256 }: InboxItem['downloads'][number]): Evidence['filters'][number] {
  const isOne = ({ outcome, details = {} }: AuditEntry) => {
    const [first] = (details as AuditFields).files ?? [];
    return (
      outcome === 'done' && first !== undefined && 'name' in first && first.name === file && first.sha256 === sha256
    );
  };
  return { person, action: 'download', from: new Date(at), to: new Date(at + 60_000), isOne };
}

type NameOf = (person: string) => Promise<string>;

/** The signed receipt as a file. Its entries have their places in the chain. */
export function makeReceipt(services: Services, actor: Actor, subject: Subject, nameOf: NameOf): Promise<string> {
  const { store } = services;
  const { workspace } = actor;
  return audited(services, actor, 'receipt', async ({ addDetails, recordEffect }) => {
    const { account, filters, doesNotProve } = await readEvidence(services, actor, subject);
    // If this fails, an entry can lack its place, and is refused below.
    await store.chains.extend().catch(() => {});
    const found = await Promise.all(
      filters.map(async ({ isOne, ...filter }) => (await store.audit.list(workspace, filter)).find(isOne)),
    );
    const present = found.filter((entry) => entry !== undefined);
    if (present.length === 0) throw transferNotFound();
    const entries: ReceiptEntry[] = [];
    for (const entry of present) entries.push(await entryOf(entry, account, nameOf));
    const issuedAt = new Date().toISOString();
    const receipt = { format: 1, workspace, account, issuedAt, doesNotProve, entries };
    addDetails(
      subject.about === 'transfer' ? { transfer: subject.id } : { files: entries.flatMap(({ files }) => files) },
    );
    const file = receiptFile(receipt, await store.signingKeys.sign(signedTextOf(receipt)));
    await recordEffect();
    return file;
  });
}

async function entryOf(
  { action, outcome, person, at, details, place }: AuditEntry,
  account: string,
  nameOf: NameOf,
): Promise<ReceiptEntry> {
  if (details === undefined)
    throw new DroplineError('changed', "An audit entry can't be trusted, so there's no receipt.");
  if (place === undefined) throw new DroplineError('busy', 'The audit entry has no number yet. Try again in a minute.');
  const { files = [], recipients, sender, confirmed, approver, approvedAt, difference, desk }: AuditFields = details;
  const personOf = async (id: string) => ({ id, name: await nameOf(id) });
  return {
    ...place,
    action,
    outcome,
    by: await personOf(person),
    at: at.toISOString(),
    ...(confirmed !== undefined && { confirmedAt: confirmed }),
    ...(approver !== undefined && { approvedBy: await personOf(approver.user), approvedAt }),
    from: action === 'download' ? sender : account,
    ...(desk !== undefined && { desk }),
    ...(recipients !== undefined && { to: recipients.map(textOrOmitted) }),
    files: files.map((file) => ('omitted' in file ? { name: textOrOmitted(file) } : file)),
    ...(difference !== undefined && { difference: difference.message }),
  };
}

const textOrOmitted = (item: string | { omitted: number }) =>
  typeof item === 'string' ? item : `(${item.omitted} more)`;
