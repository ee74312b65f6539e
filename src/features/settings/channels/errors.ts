import { DroplineError } from '../../../lib/errors.ts';
import { invalidSetting } from '../errors.ts';

export const inboxChannelChanged = () =>
  new DroplineError(
    'changed',
    'This inbox channel was changed or removed by someone else. Close this form and open it again.',
  );

export const inboxChannelGone = () => new DroplineError('not-found', 'This is no inbox channel any more.');

export const notASender = (typed: string) =>
  invalidSetting(
    'senders',
    `“${typed.slice(0, 100)}” is neither an email address (anna@example.org) nor a domain (example.org).`,
  );

export const unknownZone = () => invalidSetting('posts', 'Choose one of the times in the list.');
