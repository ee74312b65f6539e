import { bounds } from '../../../lib/bounds.ts';
import { DroplineError, isDroplineError } from '../../../lib/errors.ts';

export const contactNotFound = (email: string) =>
  new DroplineError('not-found', `Contact ${email} not found.`, { names: [email] });

export const contactManaged = (email: string) =>
  new DroplineError('not-allowed', `${email} is managed by the service and can't be changed here.`, { names: [email] });

export const contactExists = (email: string, isManaged: boolean) =>
  new DroplineError('exists', `${email} is already a contact${isManaged ? ' managed by the service' : ''}.`, {
    field: 'email',
    names: [email],
  });

export const editNotShown = () =>
  new DroplineError('unknown', "The service accepted the change, but its contact list doesn't show it.");

export function editUnconfirmed(cause: unknown): DroplineError {
  const [reason, names] = isDroplineError(cause) ? [`${cause.message} `, cause.names] : ['', []];
  const message =
    "It's not clear yet whether this was saved. Missing contacts are restored as soon as the service answers.";
  return new DroplineError('unknown', `${reason}${message}`, { names, cause });
}

export const editForgotten = () =>
  new DroplineError(
    'unknown',
    "Dropline was restored from a backup, so I don't know whether this was saved. Check the contact before you change it again.",
  );

export const listRejected = (cause: unknown) =>
  new DroplineError(
    'only-adds',
    'The service rejected the list, and nothing was changed. Some services only accept new contacts. An admin can turn on “Add-only service” in the settings.',
    { cause },
  );

export const listTooLarge = () =>
  new DroplineError(
    'invalid',
    `The contact list is too large to edit here (limit ${bounds.contactListBytes / 1024 / 1024} MB). Nothing was changed. Edit it on the service.`,
  );

export const onlyAdds = (names: readonly string[]) =>
  new DroplineError(
    'only-adds',
    'This is an add-only service (see settings). Change or remove contacts on the service itself.',
    { names },
  );

export const contactsMissing = (names: readonly string[]) =>
  new DroplineError('unknown', "Contacts are missing on the service and couldn't be restored yet.", { names });

export const restoreRejected = (names: readonly string[], cause: unknown) =>
  new DroplineError(
    'unknown',
    "Contacts are missing on the service, and it rejects the list that would restore them. If it's an add-only service, an admin can turn that on in the settings.",
    { names, cause },
  );
