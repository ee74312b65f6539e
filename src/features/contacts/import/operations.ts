import { audited } from '../../common/audited.ts';
import type { Actor, Services } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { type Diff, diffOf, indexContacts } from '../edit/diff.ts';
import { contactsOf } from '../list/operations.ts';
import { type ReadTable, readTable, writeTable } from './table.ts';

/** `contacts`: those to import. */
export interface ImportPreview extends ReadTable, Pick<Diff, 'added' | 'updated' | 'skipped'> {
  unchanged: number;
  /** How many existing contacts aren't updated, because this service can only add contacts. */
  leftOut: number;
}

/** Computes what an import would change. Changes nothing. */
export async function previewImport(services: Services, actor: Actor, text: string): Promise<ImportPreview> {
  const { settings } = await expectAllowed(services, actor, 'contacts');
  const lists = await contactsOf(services, actor, { fresh: true });
  const indexes = indexContacts(lists.local);
  const existingOf = (email: string) => lists.local[indexes.get(email) ?? indexes.get(email.toLowerCase()) ?? -1];
  const { contacts, ...table } = await readTable(text, existingOf);
  const { added, updated, skipped } = diffOf(lists, { kind: 'import', contacts });
  const unchanged = contacts.length - added.length - updated.length - skipped.length;
  const newEmails = new Set(added.map(({ email }) => email));
  const imported = settings.contactsOnlyAdd ? contacts.filter(({ email }) => newEmails.has(email)) : contacts;
  const counts = settings.contactsOnlyAdd ? { updated: [], leftOut: updated.length } : { updated, leftOut: 0 };
  return { contacts: imported, added, unchanged, skipped, ...counts, ...table };
}

/** The workspace's own contacts as CSV, which can be imported again. */
export function exportContacts(services: Services, actor: Actor): Promise<string> {
  return audited(services, actor, 'contacts export', async ({ recordEffect }) => {
    await expectAllowed(services, actor, 'contacts');
    const { local } = await contactsOf(services, actor, { fresh: true });
    await recordEffect({ rows: local.length });
    return writeTable(local);
  });
}
