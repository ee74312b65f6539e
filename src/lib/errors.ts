import { bounds } from './bounds.ts';

/**
 * Why an operation failed: the cases that the UI distinguishes.
 *
 * - `not-connected`: the workspace isn't connected, is being disconnected, or was reconnected
 * - `not-allowed`: the person lacks the permission
 * - `invalid`: the input can't be used; `field` is the name of the form field
 * - `exists`: the contact, route or pause to create already exists, or an imported row repeats an address
 * - `not-found`: what the person chose (a contact, file, transfer, …) doesn't exist, or no longer does
 * - `used`: this confirmation, import or button was used before, or everything requested has already arrived
 * - `held`: a transfer is in progress on the account, or sending is on hold until an outcome is known or an admin
 *   releases it
 * - `changed`: something has changed since the person saw or confirmed it; `names` can say what
 * - `unexpected-files`: there are unexpected files on the account; `names` has their names
 * - `file-failed`: a file couldn't be read, uploaded or delivered; `names` can have its name
 * - `empty-file`: a file is empty where content is required; a retry doesn't help
 * - `too-late`: the transfer can no longer be cancelled, or a hold can't be released while the outcome is being checked
 * - `only-adds`: the service doesn't accept a whole list of contacts
 * - `unknown`: the outcome is unknown
 * - `no-channel`: Dropline can't post in the channel, in the thread or to the person now
 * - `busy`: there are too many requests from the workspace, or Slack can't answer now; a later retry helps
 * - `infected`: malware was found in a file; `names` has its name
 * - `not-scanned`: a file couldn't be scanned for malware, and the file rules block such files; `names` has its name
 * - `unapproved`: the transfer needs an approval that it doesn't have
 * - `no-approver`: the transfer needs approval, and only its sender could give it
 * - `expired`: the expiry date that was chosen can no longer be used
 * - `paused`: an admin has paused this; the message has the reason
 * - `switched-off`: the feature is turned off, or lacks a scope or a public URL
 * - `cancelled`: the transfer was cancelled before it was sent
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
  | 'unexpected-files'
  | 'file-failed'
  | 'empty-file'
  | 'too-late'
  | 'only-adds'
  | 'unknown'
  | 'no-channel'
  | 'busy'
  | 'infected'
  | 'not-scanned'
  | 'unapproved'
  | 'no-approver'
  | 'expired'
  | 'paused'
  | 'cancelled'
  | 'switched-off';

export interface ErrorLink {
  text: string;
  url: string;
}

export interface ErrorDetails {
  field?: string;
  names?: readonly string[];
  /** Where the person can fix the problem. */
  link?: ErrorLink;
  /** Errors of other fields of the same form. */
  others?: readonly DroplineError[];
  cause?: unknown;
}

/** An error with a message for the person who asked. Names in the message are untrusted: escape them for display. */
export class DroplineError extends Error {
  override readonly name = 'DroplineError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly names: readonly string[];
  readonly link: ErrorLink | undefined;
  readonly others: readonly DroplineError[];

  constructor(code: ErrorCode, message: string, { field, names = [], link, others = [], cause }: ErrorDetails = {}) {
    super(truncateText(message, bounds.errorMessageChars), cause === undefined ? {} : { cause });
    this.code = code;
    this.field = field;
    this.link = link;
    this.others = others;
    this.names = names.slice(0, bounds.namesInError);
  }
}

export function isDroplineError(error: unknown, ...codes: ErrorCode[]): error is DroplineError {
  return error instanceof DroplineError && (codes.length === 0 || codes.includes(error.code));
}

/** Collects the errors of a form's fields, so that the person sees all of them at once. */
export function createFieldErrors(initialErrors: readonly DroplineError[] = []) {
  const errors = [...initialErrors];
  const add = (error: unknown) => {
    if (!isDroplineError(error) || error.field === undefined) throw error;
    errors.push(error, ...error.others);
  };
  return {
    add,
    /** Returns undefined if the check fails with the error of a field. Throws other errors. */
    check<T>(run: () => T): T | undefined {
      try {
        return run();
      } catch (error) {
        add(error);
        return undefined;
      }
    },
    async checkAsync<T>(run: () => Promise<T>): Promise<T | undefined> {
      return run().catch((error: unknown) => {
        add(error);
        return undefined;
      });
    },
    has: (field: string) => errors.some((error) => error.field === field),
    all: (): readonly DroplineError[] => errors,
    /** Throws the first error of each field, as one error. */
    throwIfAny(): void {
      const isFirst = ({ field }: DroplineError, index: number) =>
        errors.findIndex((error) => error.field === field) === index;
      const [first, ...others] = errors.filter(isFirst);
      if (first !== undefined) throw withOthers(first, others);
    },
  };
}
export type FieldErrors = ReturnType<typeof createFieldErrors>;

function withOthers(error: DroplineError, others: readonly DroplineError[]): DroplineError {
  const { code, message, field, names, link } = error;
  return new DroplineError(code, message, { field, names, link, others, cause: error.cause ?? error });
}

/** Changes an error and the errors of other fields that it carries. */
export function mapFieldErrors(error: unknown, change: (error: DroplineError) => DroplineError): unknown {
  if (!isDroplineError(error)) return error;
  return withOthers(change(error), error.others.map(change));
}

const truncateText = (text: string, maxChars: number) =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;

/** The start of an id. People quote it, and operators find it in the log and the audit log. */
export function referenceOf(id: string): string {
  return id.slice(0, 8);
}

export function withReference(message: string, id: string): string {
  return `${message} (Reference ${referenceOf(id)})`;
}
