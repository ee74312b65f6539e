import { DroplineError } from '../../lib/errors.ts';

export const deletedFile = () =>
  new DroplineError(
    'not-found',
    'A file that you sent me was deleted before I could read it. Send it again if you need it.',
  );

export const forwardedRefused = (problems: readonly string[]) => new DroplineError('invalid', problems.join(' '));

export const transferInProgress = () =>
  new DroplineError('held', "A transfer is in progress. Try again when it's finished.");
