import type { ExchangeError } from '../../exchange/index.ts';
import { DroplineError } from '../../lib/errors.ts';

export const keyMissing = () => new DroplineError('invalid', 'Enter the API key.', { field: 'apiKey' });

export const wrongCode = () => new DroplineError('invalid', "That isn't the code that Slack shows.", { field: 'code' });

/** Why the login failed, shown on the field of the form that it is about. */
export const loginRefused = (error: ExchangeError, field: 'apiKey' | 'username' | 'baseUrl') =>
  new DroplineError('invalid', error.message, { field, cause: error });

export const transferInProgress = () =>
  new DroplineError(
    'held',
    'A transfer is in progress on the connected account. Wait until it finishes, or cancel it.',
  );
