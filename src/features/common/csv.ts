import { setImmediate } from 'node:timers/promises';
import type { Parser } from 'csv-parse';
import { bounds } from '../../lib/bounds.ts';

/**
 * Where a spreadsheet could start a formula: at the start of a cell, or after a semicolon, tab or line break, which can
 * end a cell even inside quotes. Also matches before existing apostrophes: `toCsv` adds one more, so that `fromCsv` can
 * remove exactly one and restore the original text.
 */
const formula = /(^|[;\t\r\n])(?='*(?:[^\S\t\r\n]|")*[=+\-@|%＝＋－＠])/g;
const guardedFormula = /(^|[;\t\r\n])'(?='*(?:[^\S\t\r\n]|")*[=+\-@|%＝＋－＠])/g;

/** Rows as CSV. A possible formula gets an apostrophe in front, so that a spreadsheet shows it as text. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  const safe = text.replace(formula, "$1'");
  return /[",;\r\n\t']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export interface CsvRow {
  /** The line on which the row ends in the file, from 1. */
  line: number;
  cells: string[];
}

/**
 * Reads CSV as spreadsheets write it: with commas, semicolons or tabs, with or without a byte order mark. Stops after
 * `maxRows` rows. Parses in small chunks, so that a large file doesn't block the event loop.
 */
export async function fromCsv(text: string, maxRows: number): Promise<CsvRow[]> {
  const body = text.replace(/^\uFEFF/, '');
  const rows: CsvRow[] = [];
  // Loaded when it is needed: most processes never import a table.
  const { parse } = await import('csv-parse');
  const parser = parse({
    delimiter: delimiterOf(body),
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: bounds.csvRowChars,
    onRecord: (cells: string[], { lines }) => {
      // Remove the apostrophes that toCsv added, so that an export can be imported.
      const limitedCells = cells.slice(0, bounds.csvColumns);
      rows.push({ line: lines, cells: limitedCells.map((cell) => cell.replace(guardedFormula, '$1')) });
      return null;
    },
  });
  await new Promise<void>((resolve, reject) => {
    parser.once('error', reject).once('end', resolve).resume();
    void feed(parser, body, () => rows.length < maxRows).then(
      (isComplete) => (isComplete ? parser.end() : resolve()),
      reject,
    );
  });
  return rows.slice(0, maxRows);
}

const chunkChars = 1_024;

/** Writes the text to the parser. Resolves with false if it stopped early because enough rows were read. */
async function feed(parser: Parser, text: string, needsMore: () => boolean): Promise<boolean> {
  for (let at = 0; at < text.length && !parser.destroyed; at += chunkChars) {
    await setImmediate();
    if (!needsMore()) return false;
    parser.write(text.slice(at, at + chunkChars));
  }
  return true;
}

function delimiterOf(text: string): string {
  const [heading = ''] = text
    .slice(0, bounds.csvRowChars)
    .replace(/^\s*[\r\n]/, '')
    .split(/[\r\n]/, 1);
  const count = (delimiter: string) => heading.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
