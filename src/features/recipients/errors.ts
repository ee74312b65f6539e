import { DroplineError } from '../../lib/errors.ts';

export const notContacts = (names: readonly string[]) =>
  new DroplineError('not-found', `Not in your contacts: ${names.join(', ')}.`, { field: 'recipients', names });
