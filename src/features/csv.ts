import { parse } from 'csv-parse/sync';

/** Rows as text for a spreadsheet. A cell that it would take for a formula gets an apostrophe, which it shows as text. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  const safe = /^[\s]*[=+\-@|%]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export interface CsvRow {
  /** Where it ends in the file, from 1. */
  line: number;
  cells: string[];
}

/** The rows of a table as spreadsheets write it: with commas, semicolons or tabs, with or without a byte order mark. */
export function fromCsv(text: string): CsvRow[] {
  const body = text.replace(/^\uFEFF/, '');
  const rows: CsvRow[] = [];
  parse(body, {
    delimiter: delimiterOf(body),
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    onRecord: (cells: string[], { lines }) => {
      rows.push({ line: lines, cells: cells.map(withoutGuard) });
      return null;
    },
  });
  return rows;
}

/** What toCsv put before it comes off again, so that an export can be imported. */
function withoutGuard(cell: string): string {
  return /^'[\s]*[=+\-@|%]/.test(cell) ? cell.slice(1) : cell;
}

function delimiterOf(text: string): string {
  const heading = text.slice(0, text.search(/\r|\n|$/));
  const count = (delimiter: string) => heading.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
