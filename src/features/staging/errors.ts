import { bounds } from '../../lib/bounds.ts';
import { DroplineError } from '../../lib/errors.ts';

/** Slack returns the same error for a deleted file and for a file in a conversation that the bot isn't in. */
export const inaccessibleFile = (name: string | null) =>
  new DroplineError(
    'not-found',
    `${name === null ? 'A file of this message' : `“${name}”`} was deleted, or is in a conversation I'm not in. Send it to me in a direct message.`,
  );

export const tooManyFiles = () =>
  new DroplineError('invalid', `Too many files (limit ${bounds.filesStaged}). Send or remove some first.`);
