import { parse } from 'csv-parse/sync';

/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and after a semicolon, a tab or a line break, which
 * it may take for the end of one, whatever the quotes say. Apostrophes count, so that each of ours comes off again.
 */
const formula = /(^|[;\t\r\n])(?='*(?:[^\S\t\r\n]|")*[=+\-@|%＝＋－＠])/g;
const guardedFormula = /(^|[;\t\r\n])'(?='*(?:[^\S\t\r\n]|")*[=+\-@|%＝＋－＠])/g;

/** Rows as text for a spreadsheet. What it would take for a formula gets an apostrophe, which it shows as text. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  const safe = text.replace(formula, "$1'");
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
      // What toCsv put before it comes off again, so that an export can be imported.
      rows.push({ line: lines, cells: cells.map((cell) => cell.replace(guardedFormula, '$1')) });
      return null;
    },
  });
  return rows;
}

function delimiterOf(text: string): string {
  const [heading = ''] = text.replace(/^\s*[\r\n]/, '').split(/[\r\n]/, 1);
  const count = (delimiter: string) => heading.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
