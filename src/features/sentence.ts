import { type DroplineError, isDroplineError, withReference } from '../errors.ts';
import { type ExchangeError, isExchangeError } from '../exchange/index.ts';

/** A failure that says what it was, in a sentence for people. All others are mistakes of ours, or of the machine. */
export function hasSentence(error: unknown): error is DroplineError | ExchangeError {
  return isDroplineError(error) || isExchangeError(error);
}

/** What is said of a failure where its reference is shown anyway. */
export function sentenceOf(error: unknown): string {
  if (hasSentence(error)) return error.message;
  return 'Something went wrong on our side. If it happens again, quote the reference.';
}

/** The same where the reference is shown only with an unexpected failure. */
export function sentenceWithReference(error: unknown, id: string): string {
  return hasSentence(error) ? error.message : withReference(sentenceOf(error), id);
}
