import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { accountQueue } from '../../jobs/index.ts';
import { inTransaction } from '../../store/index.ts';
import { audited } from '../common/audited.ts';
import { connectionOf } from '../common/connection.ts';
import type { Actor, Services } from '../common/services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { type Change, type Diff, diffOf, indexContacts } from './edit/diff.ts';
import { type EditOrigin, parseContact, parseFields } from './edit/fields.ts';
import { editKind } from './edit/jobs.ts';
import { editsIn } from './edit/repository.ts';
import { invalidField } from './errors.ts';
import { type ReadTable, readTable, writeTable } from './import/table.ts';
import { changedFields, type FieldChange, pairContacts } from './list/compare.ts';
import { contactsOf } from './list/operations.ts';

export { contactsOf } from './list/operations.ts';

/**
 * Stores the edit and queues its job, both or neither. The job changes the contacts and tells the notifier how the edit
 * ended. Resolves with the edit's id. `inSameTransaction` runs before the commit.
 */
export async function changeContacts(
  services: Services,
  actor: Actor,
  draft: Change,
  origin?: EditOrigin,
  inSameTransaction: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<string> {
  const change = parseChange(draft);
  await expectAllowed(services, actor, 'contacts');
  const { exchange } = await connectionOf(services, actor.workspace);
  const { workspace, person } = actor;
  const { account } = exchange;
  return inTransaction(services.store.pool, async (client) => {
    const edit = await editsIn(services.store).add(client, { workspace, account, person, change, origin });
    const options = { queue: accountQueue('contacts', account), key: `contacts-edit ${edit}`, within: client };
    await services.queue.add(editKind, { workspace, edit }, options);
    await inSameTransaction(client);
    return edit;
  });
}

function parseChange(draft: Change): Change {
  switch (draft.kind) {
    case 'add':
    case 'import':
      return { ...draft, contacts: draft.contacts.map(parseContact) };
    case 'edit':
      return { ...draft, fields: parseFields(draft.fields) };
    case 'group': {
      const [group] = parseFields({ groups: [draft.group] }).groups ?? [];
      if (group === undefined) throw invalidField('group', 'Enter a group name.');
      return { ...draft, group };
    }
    case 'remove':
      return draft;
  }
}

export interface ImportPreview {
  change: Change & { kind: 'import' };
  added: Diff['added'];
  updated: Diff['updated'];
  unchanged: number;
  /** Addresses in the service's own list, which can't be changed. */
  skipped: string[];
  /** How many existing contacts aren't updated, because this service can only add contacts. */
  leftOut: number;
  problems: ReadTable['problems'];
  ignoredColumns: string[];
}

/** Computes what an import would change. Changes nothing. */
export async function previewImport(services: Services, actor: Actor, text: string): Promise<ImportPreview> {
  const { settings } = await expectAllowed(services, actor, 'contacts');
  const lists = await contactsOf(services, actor.workspace, { fresh: true });
  const indexes = indexContacts(lists.local);
  const existingOf = (email: string) => lists.local[indexes.get(email) ?? indexes.get(email.toLowerCase()) ?? -1];
  const { contacts, ...table } = await readTable(text, existingOf);
  const { added, updated, skipped } = diffOf(lists, { kind: 'import', contacts });
  const unchanged = contacts.length - added.length - updated.length - skipped.length;
  const newEmails = new Set(added.map(({ email }) => email));
  const imported = settings.contactsOnlyAdd ? contacts.filter(({ email }) => newEmails.has(email)) : contacts;
  const change = { kind: 'import', contacts: imported } as const;
  const counts = settings.contactsOnlyAdd ? { updated: [], leftOut: updated.length } : { updated, leftOut: 0 };
  return { change, added, unchanged, skipped, ...counts, ...table };
}

/** The workspace's own contacts as CSV, which can be imported again. */
export function exportContacts(services: Services, actor: Actor): Promise<string> {
  return audited(services, actor, 'contacts export', async ({ recordEffect }) => {
    await expectAllowed(services, actor, 'contacts');
    const { local } = await contactsOf(services, actor.workspace, { fresh: true });
    await recordEffect({ rows: local.length });
    return writeTable(local);
  });
}

export interface RecentChange {
  /** Undefined if another workspace on the same account made the change. */
  person: string | undefined;
  at: Date;
  /** Set if the mobile number was replaced. */
  number?: FieldChange | undefined;
}

/**
 * Finds who last changed or added each of these contacts in the last 30 days, by lower-case address; the last change of
 * a mobile number counts more than later changes of other fields. `isAll` is false if some can be missing, because there
 * were too many changes to read.
 */
export async function recentlyChanged(
  services: Services,
  workspace: string,
  emails: readonly string[],
): Promise<{ changes: Map<string, RecentChange>; isAll: boolean }> {
  const { account } = (await connectionOf(services, workspace)).exchange;
  const addresses = new Set(emails.map((email) => email.toLowerCase()));
  const changes = new Map<string, RecentChange>();
  const { edits, isAll } = await editsIn(services.store).listRecent(account);
  for (const { lists, person, at, workspace: editWorkspace } of edits) {
    const { before, after } = lists();
    for (const { from, to } of pairContacts(before, after)) {
      const key = to?.email?.toLowerCase();
      if (key === undefined || !addresses.has(key)) continue;
      const number = from && changedFields({ from, to }).find(({ field }) => field === 'number');
      const known = changes.get(key);
      if (known !== undefined && (known.number !== undefined || number === undefined)) continue;
      changes.set(key, { person: editWorkspace === workspace ? person : undefined, at, number });
    }
    await setImmediate();
  }
  return { changes, isAll: isAll || changes.size === addresses.size };
}
