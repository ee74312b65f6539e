import { bounds } from './bounds.ts';

/**
 * Why an operation failed, as far as the UI must distinguish it.
 *
 * - `not-connected`: the workspace has no account on the service
 * - `not-allowed`: this person can't do this
 * - `invalid`: the input can't be used; `field` says which
 * - `exists`, `not-found`: it already exists; it doesn't exist, or no longer does
 * - `used`: this confirmation or button was used before
 * - `held`: sending from the account is on hold until an earlier outcome is known or an admin releases it
 * - `changed`: what was confirmed has changed; `names` says what
 * - `foreign-files`: there are unexpected files on the account; `names` says which
 * - `file-failed`: a file could not be uploaded; `names` says which
 * - `empty-file`: a file has no bytes where some are needed; a retry doesn't help
 * - `too-late`: it can no longer be stopped
 * - `only-adds`: the service doesn't accept a whole list of contacts
 * - `unknown`: the outcome is unknown
 * - `no-place`: it can't be posted to its location now; the people who can fix that were notified
 * - `busy`: the workspace has too much unfinished work; a later retry helps
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
  | 'cancelled'
  | 'switched-off';

export interface ErrorLink {
  text: string;
  url: string;
}

export interface ErrorDetails {
  field?: string | undefined;
  names?: readonly string[] | undefined;
  /** Where the person can fix it. */
  link?: ErrorLink | undefined;
  cause?: unknown;
}

/** A failure with an error message for the person who asked. Names in it are untrusted: escape them for display. */
export class DroplineError extends Error {
  override readonly name = 'DroplineError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly names: readonly string[];
  readonly link: ErrorLink | undefined;

  constructor(code: ErrorCode, sentence: string, { field, names = [], link, cause }: ErrorDetails = {}) {
    super(cutTo(sentence, bounds.errorMessageChars), cause === undefined ? {} : { cause });
    this.code = code;
    this.field = field;
    this.link = link;
    this.names = names.slice(0, bounds.namesInError);
  }
}

export function isDroplineError(error: unknown, ...codes: ErrorCode[]): error is DroplineError {
  return error instanceof DroplineError && (codes.length === 0 || codes.includes(error.code));
}

const cutTo = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** The beginning of an id, which a person can quote and an operator can find in the log and the audit. */
export function referenceOf(id: string): string {
  return id.slice(0, 8);
}

export function withReference(sentence: string, id: string): string {
  return `${sentence} (Reference ${referenceOf(id)})`;
}
