import { bounds } from '../../bounds.ts';
import { DroplineError } from '../../errors.ts';

export const tooManyFiles = () =>
  new DroplineError('invalid', `Too many files (limit ${bounds.filesStaged}). Send or remove some first.`);
