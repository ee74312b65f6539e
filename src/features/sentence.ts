import { type DroplineError, isDroplineError } from '../errors.ts';
import { type ExchangeError, isExchangeError } from '../exchange/index.ts';

/** A failure that says what it was, in a sentence for people. All others are mistakes of ours, or of the machine. */
export function hasSentence(error: unknown): error is DroplineError | ExchangeError {
  return isDroplineError(error) || isExchangeError(error);
}

/** What is said of a failure; of one without a sentence, by what it is found in the log. */
export function sentenceOf(error: unknown, reference: string): string {
  if (hasSentence(error)) return error.message;
  return `Something went wrong on our side. If it happens again, quote the reference ${reference}.`;
}
