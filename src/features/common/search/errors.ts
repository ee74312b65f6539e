import { bounds } from '../../../lib/bounds.ts';
import { DroplineError } from '../../../lib/errors.ts';

export const tooManyWords = (field: string) =>
  new DroplineError('invalid', `Search for at most ${bounds.searchWords} words.`, { field });

export const invalidDate = (field: string) => new DroplineError('invalid', 'Choose a date.', { field });

export const endsBeforeStart = (field: string) =>
  new DroplineError('invalid', 'Choose the From date or a later one.', { field });
