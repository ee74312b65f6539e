import { DroplineError } from '../../../lib/errors.ts';

/** The error for a value that can't be saved. The message says what to enter instead. */
export const invalidField = (field: string, message: string) => new DroplineError('invalid', message, { field });

/** The error for contacts or groups chosen in a form that no longer exist. `namesText`: their names as one text. */
export const notInContacts = (field: string, names: readonly string[], namesText: string) =>
  new DroplineError(
    'not-found',
    `${namesText} ${names.length === 1 ? "isn't" : "aren't"} in your contacts. Choose again.`,
    { field, names },
  );

export const contactChanged = () => new DroplineError('changed', 'This contact was changed or removed. Search again.');

export const contactGone = () =>
  new DroplineError('not-found', 'Contact not found. It was removed, or its email has changed.');

export const buttonExpired = () => new DroplineError('not-found', 'This button has expired.');
