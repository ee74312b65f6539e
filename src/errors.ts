import { bounds } from './bounds.ts';

/**
 * Why something was not done, as far as whoever shows it must tell it apart.
 *
 * - `not-connected`: the workspace has no account on the service (any more)
 * - `not-allowed`: this person may not do this
 * - `invalid`: what was entered cannot be used; `field` says which
 * - `exists`, `not-found`: it is there already; it is not there (any more)
 * - `used`: this confirmation or button was used before
 * - `held`: sending from the account is on hold until an earlier outcome is known or an admin releases it
 * - `changed`: what was confirmed is no longer so; `names` says what
 * - `foreign-files`: files lie on the account that are not ours; `names` says which
 * - `file-failed`: a file could not be uploaded; `names` says which
 * - `empty-file`: a file has no bytes where some are needed; trying again would not help
 * - `too-late`: it cannot be stopped any more
 * - `only-adds`: the service does not take a whole list of contacts
 * - `unknown`: nobody knows whether it was done
 * - `no-place`: where it should be shown nothing can be shown now; whoever can mend that was told
 * - `busy`: the workspace has too much unfinished; trying again later helps
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
  /** Where the person can do something about it. */
  link?: ErrorLink | undefined;
  cause?: unknown;
}

/** A failure with a sentence for the person who asked. Names within are strangers' words: to be escaped where shown. */
export class DroplineError extends Error {
  override readonly name = 'DroplineError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly names: readonly string[];
  readonly link: ErrorLink | undefined;

  constructor(code: ErrorCode, sentence: string, { field, names = [], link, cause }: ErrorDetails = {}) {
    super(cutTo(sentence, bounds.sentenceChars), cause === undefined ? {} : { cause });
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

/** What a person quotes and an operator finds in the log and the audit: the beginning of an id. */
export function referenceOf(id: string): string {
  return id.slice(0, 8);
}

export function withReference(sentence: string, id: string): string {
  return `${sentence} (Reference ${referenceOf(id)})`;
}
