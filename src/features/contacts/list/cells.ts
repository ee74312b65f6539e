import type { Contact, ContactFields } from '../../../exchange/index.ts';
import { type NewContact, parseFields } from './fields.ts';

/**
 * The fields that an imported row changes. Compares the row with an export of the existing contact: importing an
 * unchanged export must change nothing, although an import drops the plus of a number and splits group names at a bar.
 */
export function changedFieldsIn(existing: Contact, { email: _, ...imported }: NewContact): ContactFields {
  const isChanged = ([column, value]: [string, unknown]) =>
    JSON.stringify(asImported(existing, column as keyof ContactFields)) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(imported).filter(isChanged));
}

function asImported(existing: Contact, column: keyof ContactFields): unknown {
  try {
    return parseFields({ [column]: parseCell(column, cellOf(existing, column)) })[column];
  } catch {
    return undefined; // the existing value isn't valid input
  }
}

export const parseCell = (column: keyof ContactFields, cell: string) => (column === 'groups' ? cell.split('|') : cell);

export function cellOf(contact: Contact, column: keyof ContactFields): string {
  return column === 'groups' ? contact.groups.join('|') : (contact[column] ?? '');
}
