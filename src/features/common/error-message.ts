import { type DroplineError, isDroplineError, withReference } from '../../errors.ts';
import { type ExchangeError, isExchangeError } from '../../exchange/index.ts';

/** An expected failure, with an error message for people. All other errors are bugs or failures of the machine. */
export function hasErrorMessage(error: unknown): error is DroplineError | ExchangeError {
  return isDroplineError(error) || isExchangeError(error);
}

/** The error message for places that show the reference anyway. */
export function errorMessageOf(error: unknown): string {
  if (hasErrorMessage(error)) return error.message;
  return 'Something went wrong on our side. If it happens again, quote the reference.';
}

/** The error message for other places. Has the reference only if the error is unexpected. */
export function errorMessageWithReference(error: unknown, id: string): string {
  return hasErrorMessage(error) ? error.message : withReference(errorMessageOf(error), id);
}
