import { DroplineError } from '../../lib/errors.ts';

export const notOnHold = () => new DroplineError('not-found', 'Nothing is on hold.');

export const otherHold = () => new DroplineError('changed', 'Something else is on hold now. Open the status again.');

export const stillChecking = () =>
  new DroplineError('too-late', "I'm still checking whether it was sent. Try again in a few minutes.");
