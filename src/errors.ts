import { bounds } from './bounds.ts';

/**
 * Why an operation failed, as far as the UI must distinguish it.
 *
 * - `not-connected`: the workspace has no account on the service
 * - `not-allowed`: this person can't do this
 * - `invalid`: the input can't be used; `field` names the form field
 * - `exists`: what should be created already exists
 * - `not-found`: what was asked for doesn't exist, or no longer does
 * - `used`: this confirmation or button was used before
 * - `held`: sending from the account is on hold until an earlier outcome is known or an admin releases it
 * - `changed`: what was confirmed has changed; `names` says what
 * - `foreign-files`: there are unexpected files on the account; `names` says which
 * - `file-failed`: a file could not be uploaded; `names` says which
 * - `empty-file`: a file is empty where content is required; a retry doesn't help
 * - `too-late`: the operation can no longer be stopped
 * - `only-adds`: the service doesn't accept a whole list of contacts
 * - `unknown`: the outcome is unknown
 * - `no-place`: Dropline can't post in the channel now; the people who can fix that were notified
 * - `busy`: the workspace has too much unfinished work; a later retry helps
 * - `unapproved`: the transfer needs an approval that it doesn't have
 * - `no-approver`: the transfer needs approval, and only its sender could give it
 * - `cancelled`, `switched-off`
 */
export type ErrorCode =
  | 'not-connected'
  | 'not-allowed'
  | 'invalid'
  | 'exists'
  | 'not-found'
  | 'used'
  | 'held'
  | 'changed'
  | 'foreign-files'
  | 'file-failed'
  | 'empty-file'
  | 'too-late'
  | 'only-adds'
  | 'unknown'
  | 'no-place'
  | 'busy'
  | 'unapproved'
  | 'no-approver'
  | 'cancelled'
  | 'switched-off';

export interface ErrorLink {
  text: string;
  url: string;
}

export interface ErrorDetails {
  field?: string | undefined;
  names?: readonly string[] | undefined;
  /** Where the person can fix the problem. */
  link?: ErrorLink | undefined;
  cause?: unknown;
}

/** An error with a message for the person who asked. Names in the message are untrusted: escape them for display. */
export class DroplineError extends Error {
  override readonly name = 'DroplineError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly names: readonly string[];
  readonly link: ErrorLink | undefined;

  constructor(code: ErrorCode, message: string, { field, names = [], link, cause }: ErrorDetails = {}) {
    super(truncateText(message, bounds.errorMessageChars), cause === undefined ? {} : { cause });
    this.code = code;
    this.field = field;
    this.link = link;
    this.names = names.slice(0, bounds.namesInError);
  }
}

export function isDroplineError(error: unknown, ...codes: ErrorCode[]): error is DroplineError {
  return error instanceof DroplineError && (codes.length === 0 || codes.includes(error.code));
}

const truncateText = (text: string, maxChars: number) =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;

/** The start of an id. People quote it, and operators find it in the log and the audit. */
export function referenceOf(id: string): string {
  return id.slice(0, 8);
}

export function withReference(message: string, id: string): string {
  return `${message} (Reference ${referenceOf(id)})`;
}
