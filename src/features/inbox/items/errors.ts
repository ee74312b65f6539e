import { DroplineError } from '../../../lib/errors.ts';

export const takeAndDoneOff = () => new DroplineError('switched-off', 'Take and Done are turned off for this channel.');

export const filesInfected = () =>
  new DroplineError(
    'infected',
    "Malware was found in these files, so there's nothing to take. You can mark them as done.",
  );

export const fileGone = () =>
  new DroplineError(
    'not-found',
    "This file is no longer available. It has expired, was removed, or belongs to a channel that you aren't in.",
  );

export const membersUnknown = () =>
  new DroplineError('busy', "Slack didn't say who is in the channel of this file. Try again in a minute.");

export const nothingToMove = () => new DroplineError('not-found', 'There are no files to move.');

export const nameTooLongText =
  'This file name is too long to download. Ask the sender to rename the file and send it again.';

export const nameTooLong = () => new DroplineError('not-found', nameTooLongText);

export const buttonExpired = () => new DroplineError('not-found', 'This button has expired. Type /drop inbox instead.');

export const fileInfected = (name: string, signature: string) =>
  new DroplineError('infected', `Malware found: ${signature}. Only an admin can download this file.`, {
    names: [name],
  });

/** An infected file is never put into Slack. */
export const infectedNeedsLink = () =>
  new DroplineError(
    'switched-off',
    'Infected files can only be downloaded by link, and Dropline has no public address (PUBLIC_URL).',
  );

export const shownInChannel = () =>
  new DroplineError(
    'no-channel',
    'The original post was deleted, so Slack showed the file in the channel. I deleted it there.',
  );
