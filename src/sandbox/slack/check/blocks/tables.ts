import { limits } from '../limits.ts';
import { child, refuse } from '../path.ts';
import { richText } from '../rich-text.ts';
import { byType, entries, isFields, list, object, type Rule, variant } from '../shapes.ts';
import { finiteNumber, flag, integer, oneOf, unlimitedText } from '../values.ts';
import { block } from './block.ts';

const cell = byType({
  raw_text: variant({ required: { text: unlimitedText } }),
  raw_number: variant({ required: { value: finiteNumber, text: unlimitedText } }),
  rich_text: richText,
});

const columnSettings = object({ optional: { align: oneOf('left', 'center', 'right'), is_wrapped: flag } });

export const table = block({
  required: { rows: list(list(cell, { max: limits.table.columns }), { max: limits.table.rows }) },
  optional: { column_settings: list(columnSettings, { max: limits.table.columns }) },
});

const equalRowLengths: Rule = ({ rows }, path) => {
  const [header, ...others] = entries(rows);
  const columns = entries(header).length;
  const mismatch = others.findIndex((row) => entries(row).length !== columns);
  if (mismatch !== -1) refuse(child(child(path, 'rows'), mismatch + 1), 'all rows must have the same number of values');
};

const plainHeader: Rule = ({ rows }, path) => {
  const rich = entries(entries(rows)[0]).findIndex((one) => isFields(one) && one.type === 'rich_text');
  if (rich !== -1) refuse(child(child(child(path, 'rows'), 0), rich), 'a header cell cannot be rich_text');
};

const headerColumnExists: Rule = ({ rows, row_header_column_index: index }, path) => {
  if (typeof index === 'number' && index >= entries(entries(rows)[0]).length) {
    refuse(child(path, 'row_header_column_index'), 'must be the index of a column');
  }
};

export const dataTable = block(
  {
    required: {
      caption: unlimitedText,
      rows: list(list(cell, { max: limits.dataTable.columns }), { min: 2, max: limits.dataTable.rows + 1 }),
    },
    optional: {
      page_size: integer(1, limits.dataTable.pageSize),
      row_header_column_index: integer(0, limits.dataTable.columns - 1),
    },
  },
  equalRowLengths,
  plainHeader,
  headerColumnExists,
);
