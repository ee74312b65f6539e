import { DroplineError } from '../../errors.ts';

export const transferInProgress = () =>
  new DroplineError('held', "A transfer is in progress. Try again when it's finished.");
