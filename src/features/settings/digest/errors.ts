import { DroplineError } from '../../../lib/errors.ts';

export const channelNotUsed = () =>
  new DroplineError('not-found', "New files aren't posted in this channel any more. Open the settings again.");

export const digestChanged = () =>
  new DroplineError('changed', 'This digest was changed by someone else. Open the settings again.');

export const unknownZone = () =>
  new DroplineError('invalid', 'Choose one of the time zones in the list.', { field: 'digestZone' });
