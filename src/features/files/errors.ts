import { DroplineError } from '../../errors.ts';

export const deletedFile = () =>
  new DroplineError(
    'not-found',
    'A file that you sent me was deleted before I could read it. Send it again if you need it.',
  );

export const transferInProgress = () =>
  new DroplineError('held', "A transfer is in progress. Try again when it's finished.");
