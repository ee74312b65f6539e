import { bounds } from '../../../lib/bounds.ts';
import { DroplineError } from '../../../lib/errors.ts';
import { invalidField } from '../list/errors.ts';

export const importUsed = () =>
  new DroplineError('used', 'This import has expired or was already done. Close this and choose the file again.');

export const notCsv = (cause: unknown) =>
  new DroplineError('invalid', "This isn't a CSV file. Separate values with commas or semicolons.", {
    field: 'file',
    cause,
  });

export const emailColumnMissing = (columns: readonly string[]) =>
  invalidField('file', `The first row must contain column names, including "email". Columns: ${columns.join(', ')}.`);

export const tooManyRows = () =>
  invalidField('file', `The file has more than ${bounds.csvRows} rows. Split it into several files.`);

export const rowDuplicated = (email: string) => new DroplineError('exists', `${email} is duplicated.`);
