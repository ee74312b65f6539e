import type { ExchangeError } from '../../exchange/index.ts';
import { bounds } from '../../lib/bounds.ts';
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

export const accountConnected = () =>
  new DroplineError('invalid', 'This workspace is already connected to this account.', { field: 'username' });

export const tooManyDesks = () =>
  new DroplineError('invalid', `A workspace can have ${bounds.desks} accounts. Disconnect one first.`);

export const deskNameTaken = (name: string) =>
  new DroplineError('invalid', `There is already a desk called “${name}”.`, { field: 'desk' });
