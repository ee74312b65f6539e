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

export const nameUnusable = () =>
  new DroplineError('invalid', 'Enter a name of up to 40 characters, without <, > and &.', { field: 'desk' });

export const channelMissing = () =>
  new DroplineError('invalid', 'Choose the channel of this desk.', { field: 'inboxChannel' });

export const channelOfOther = () =>
  new DroplineError('invalid', 'Another desk uses this channel. Choose another one.', { field: 'inboxChannel' });

export const deskNameTaken = (name: string) =>
  new DroplineError('invalid', `There is already a desk called “${name}”.`, { field: 'desk' });
