import { type DroplineError, isDroplineError, withReference } from '../../errors.ts';
import { type ExchangeError, isExchangeError } from '../../exchange/index.ts';

/** Whether an error is expected and has a message for people. All other errors are bugs or infrastructure failures. */
export function hasErrorMessage(error: unknown): error is DroplineError | ExchangeError {
  return isDroplineError(error) || isExchangeError(error);
}

/** The error message for views that always show the reference. */
export function errorMessageOf(error: unknown): string {
  if (hasErrorMessage(error)) return error.message;
  return 'Something went wrong. If it happens again, contact support with the reference.';
}

/** The error message for all other views. Includes the reference only if the error is unexpected. */
export function errorMessageWithReference(error: unknown, id: string): string {
  return hasErrorMessage(error) ? error.message : withReference(errorMessageOf(error), id);
}
