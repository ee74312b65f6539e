import { DroplineError, isDroplineError } from '../../errors.ts';
import type { Contact } from '../../exchange/index.ts';
import { fromCsv, toCsv } from '../csv.ts';
import { type NewContact, parseContact } from './fields.ts';

/** Contacts as a table, to and from a file. */
const columns = ['email', 'number', 'language', 'groups', 'nick'] as const;
type Column = (typeof columns)[number];

/** What people write above a column. */
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

export const mostRows = 5_000;

export interface ReadTable {
  contacts: NewContact[];
  /** Rows that cannot be used, and why. */
  problems: { line: number; sentence: string }[];
}

export function readTable(text: string): ReadTable {
  const [heading, ...rows] = rowsOf(text);
  const found = (heading?.cells ?? []).map((cell) => headings[cell.toLowerCase()]);
  if (!found.includes('email')) {
    const sentence = `The first row must name the columns, "email" among them: ${columns.join(', ')}.`;
    throw new DroplineError('invalid', sentence, { field: 'file' });
  }
  if (rows.length > mostRows) {
    const sentence = `The file has ${rows.length} rows; at most ${mostRows} can be imported at a time.`;
    throw new DroplineError('invalid', sentence, { field: 'file' });
  }
  const table: ReadTable = { contacts: [], problems: [] };
  const seen = new Set<string>();
  for (const { line, cells } of rows) {
    if (cells.every((cell) => cell === '')) continue;
    try {
      const contact = contactOf(found, cells);
      const email = contact.email.toLowerCase();
      if (seen.has(email)) throw new DroplineError('exists', `${contact.email} stands in the file twice.`);
      seen.add(email);
      table.contacts.push(contact);
    } catch (error) {
      if (!isDroplineError(error)) throw error;
      table.problems.push({ line, sentence: error.message });
    }
  }
  return table;
}

function rowsOf(text: string) {
  try {
    return fromCsv(text);
  } catch (error) {
    throw new DroplineError('invalid', 'This is not a table of comma- or semicolon-separated values.', {
      field: 'file',
      cause: error,
    });
  }
}

/** A column that the file does not have leaves the field of a known contact as it is; so does an empty cell. */
function contactOf(found: readonly (Column | undefined)[], cells: readonly string[]): NewContact {
  const typed: Partial<Record<Column, unknown>> = {};
  for (const [index, column] of found.entries()) {
    const cell = cells[index] ?? '';
    if (column === undefined || cell === '') continue;
    typed[column] = column === 'groups' ? cell.split('|') : cell;
  }
  return parseContact(typed as Record<Column, unknown>);
}

export function writeTable(contacts: readonly Contact[]): string {
  const rows = contacts.map(({ email, number, language, groups, nick }) => [
    email ?? '',
    number ?? '',
    language ?? '',
    groups.join('|'),
    nick ?? '',
  ]);
  return toCsv([columns, ...rows]);
}
