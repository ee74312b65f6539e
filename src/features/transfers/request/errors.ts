import { DroplineError } from '../../../lib/errors.ts';

export const requestsOff = () =>
  new DroplineError('switched-off', 'File requests are off. An admin can turn them on in the settings.');

export const requestsTurnedOff = () => new DroplineError('switched-off', 'File requests were turned off.');

export const requestEmpty = () => new DroplineError('invalid', 'Enter a message or a checklist.', { field: 'message' });

const reviewGone = 'This review has expired or was already confirmed. Type /drop request to start again.';

export const reviewExpired = () => new DroplineError('not-found', reviewGone);

export const reviewUsed = () => new DroplineError('used', reviewGone);
