import { DroplineError } from '../../lib/errors.ts';

export const notConnected = () =>
  new DroplineError('not-connected', "This workspace isn't connected to the file service. An admin can connect it.");

export const disconnecting = () =>
  new DroplineError('not-connected', 'This workspace is being disconnected from the file service.');

export const reconnected = () =>
  new DroplineError('not-connected', 'This workspace was reconnected, so earlier work was stopped.');

export const fileNotShown = () =>
  new DroplineError('unknown', "Slack hasn't shown the file yet. If it doesn't appear, try again.");

export const fileDeleted = () => new DroplineError('file-failed', 'The file was deleted in Slack before it appeared.');

export const accountLeft = () => new DroplineError('not-connected', "The account isn't connected any more.");
