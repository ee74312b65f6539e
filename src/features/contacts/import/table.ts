import { setImmediate } from 'node:timers/promises';
import { type Contact, contactFieldNames } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { truncate } from '../../../lib/truncate.ts';
import { fromCsv, toCsv } from '../../common/csv.ts';
import { cellOf, parseCell } from '../list/cells.ts';
import { type NewContact, parseContact } from '../list/fields.ts';
import { emailColumnMissing, notCsv, rowDuplicated, tooManyRows } from './errors.ts';

/** The columns of a CSV file with contacts. */
const columns = contactFieldNames;
type Column = (typeof columns)[number];

/** The column for each accepted heading. */
const headings: Record<string, Column> = {
  email: 'email',
  'e-mail': 'email',
  mail: 'email',
  'email address': 'email',
  'e-mail address': 'email',
  number: 'number',
  mobile: 'number',
  phone: 'number',
  language: 'language',
  lang: 'language',
  groups: 'groups',
  group: 'groups',
  nick: 'nick',
  nickname: 'nick',
  name: 'nick',
};

/** Yields to the event loop after this many rows. */
const rowsPerYield = 100;

export interface ReadTable {
  contacts: NewContact[];
  /** Rows that are skipped, and why. */
  problems: { line: number; message: string }[];
  /** Headings of columns that aren't imported: unknown ones, and all but the first with the same meaning. */
  ignoredColumns: string[];
}

/** @param existingOf finds the contact that a row would change */
export async function readTable(
  text: string,
  existingOf: (email: string) => Contact | undefined = () => undefined,
): Promise<ReadTable> {
  const [{ cells: names } = { cells: [] }, ...rows] = await rowsOf(text);
  const foundColumns = names
    .map((name) => columns.find((column) => column === headings[name.toLowerCase()]))
    .map((column, index, all) => (all.indexOf(column) === index ? column : undefined));
  if (!foundColumns.includes('email')) throw emailColumnMissing(columns);
  if (rows.length > bounds.csvRows) throw tooManyRows();
  const ignoredColumns = names.filter((name, index) => name !== '' && foundColumns[index] === undefined);
  const table: ReadTable = { contacts: [], problems: [], ignoredColumns };
  const seen = new Set<string>();
  for (const [index, { line, cells }] of rows.entries()) {
    if (index % rowsPerYield === 0) await setImmediate();
    if (cells.every((cell) => cell === '')) continue;
    const email = cells[foundColumns.indexOf('email')] ?? '';
    try {
      // Skip a repeated address even if its first row was invalid: the second row can be meant for another person.
      if (email !== '' && seen.has(keyOf(email))) throw rowDuplicated(email);
      seen.add(keyOf(email));
      table.contacts.push(contactOf(foundColumns, cells, existingOf(email)));
    } catch (error) {
      if (!isDroplineError(error)) throw error;
      const messages = [error, ...error.others].map(({ field, message }) => {
        const cell = cells[foundColumns.findIndex((column) => column !== undefined && column === field)] ?? '';
        return cell === '' ? message : `“${truncate(cell, 100)}”: ${message}`;
      });
      table.problems.push({ line, message: messages.join(' ') });
    }
  }
  return table;
}

const keyOf = (email: string) => email.normalize('NFC').trim().toLowerCase();

async function rowsOf(text: string) {
  try {
    // The heading, and one row more than allowed.
    return await fromCsv(text, bounds.csvRows + 2);
  } catch (error) {
    throw notCsv(error);
  }
}

/**
 * Skips missing columns, empty cells and what an export of the existing contact has: these fields stay as they are, even
 * if the service has a value that can't be entered here.
 */
function contactOf(
  foundColumns: readonly (Column | undefined)[],
  cells: readonly string[],
  existing: Contact | undefined,
): NewContact {
  const typed: Partial<Record<Column, unknown>> = {};
  for (const [index, column] of foundColumns.entries()) {
    const cell = cells[index] ?? '';
    if (column === undefined || cell === '') continue;
    if (column !== 'email' && existing !== undefined && cell === cellOf(existing, column)) continue;
    typed[column] = parseCell(column, cell);
  }
  return parseContact(typed as Record<Column, unknown>);
}

export function writeTable(contacts: readonly Contact[]): string {
  return toCsv([columns, ...contacts.map((contact) => columns.map((column) => cellOf(contact, column)))]);
}
