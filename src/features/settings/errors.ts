import { bounds } from '../../bounds.ts';
import { DroplineError } from '../../errors.ts';

export const notAnInboxChannel = () =>
  new DroplineError(
    'invalid',
    'Choose only channels where new files are posted: the channel above, or one with a route.',
    {
      field: 'workChannels',
    },
  );

export const tooManyWorkChannels = () =>
  new DroplineError('invalid', `Too many channels (limit ${bounds.workChannels}).`, { field: 'workChannels' });
