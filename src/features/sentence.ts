import { type DroplineError, isDroplineError } from '../errors.ts';
import { type ExchangeError, isExchangeError } from '../exchange/index.ts';

/** A failure that says what it was, in a sentence for people. All others are mistakes of ours, or of the machine. */
export function hasSentence(error: unknown): error is DroplineError | ExchangeError {
  return isDroplineError(error) || isExchangeError(error);
}
