import { type DroplineError, isDroplineError, withReference } from '../errors.ts';
import { type ExchangeError, isExchangeError } from '../exchange/index.ts';

/** A failure that says what it was, in a sentence for people. All others are mistakes of ours, or of the machine. */
export function hasErrorMessage(error: unknown): error is DroplineError | ExchangeError {
  return isDroplineError(error) || isExchangeError(error);
}

/** What is said of a failure where its reference is shown anyway. */
export function errorMessageOf(error: unknown): string {
  if (hasErrorMessage(error)) return error.message;
  return 'Something went wrong on our side. If it happens again, quote the reference.';
}

/** The same where the reference is shown only with an unexpected failure. */
export function errorMessageWithReference(error: unknown, id: string): string {
  return hasErrorMessage(error) ? error.message : withReference(errorMessageOf(error), id);
}
