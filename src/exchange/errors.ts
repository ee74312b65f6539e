import type { Operation } from './operations.ts';

/**
 * What can go wrong with the service, as far as callers must distinguish it.
 *
 * - `invalid-input`: the input can't be sent; no request was made
 * - `address-not-allowed`: the host policy doesn't allow the address; no request was made
 * - `unreachable`: no connection could be made; the service did not see the request
 * - `timeout`: the service didn't continue in time, or a gateway (502, 503, 504) answered for it
 * - `credentials-refused`: the account page refuses this user and key
 * - `token-refused`: the account page issues tokens, but the service refuses a fresh one
 * - `refused`: the service rejected the request; `serviceText` has its reason
 * - `not-the-service`: the account page has no token, so this is another site or another page
 * - `changed-format`: the answer doesn't match the API's documentation
 * - `cut-short`: a connection broke off, or a file was shorter or longer than announced
 * - `not-found`: the file to download doesn't exist or has expired
 * - `outcome-unknown`: a dispatch or grant was sent and no `ok` came back, so it's unknown whether it happened
 */
export type ExchangeErrorCode =
  | 'invalid-input'
  | 'address-not-allowed'
  | 'unreachable'
  | 'timeout'
  | 'credentials-refused'
  | 'token-refused'
  | 'refused'
  | 'not-the-service'
  | 'changed-format'
  | 'cut-short'
  | 'not-found'
  | 'outcome-unknown';

export interface ExchangeErrorDetails {
  operation?: Operation | undefined;
  /** HTTP status, if there was an answer. */
  status?: number | undefined;
  /** The service's text, shortened and redacted. Untrusted: escape it. */
  serviceText?: string | undefined;
  cause?: unknown;
}

/** Every failure of this library except an abort, which rejects with the signal's reason. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly code: ExchangeErrorCode;
  readonly operation: Operation | undefined;
  readonly status: number | undefined;
  readonly serviceText: string | undefined;

  constructor(code: ExchangeErrorCode, message: string, details: ExchangeErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.operation = details.operation;
    this.status = details.status;
    this.serviceText = details.serviceText;
  }
}

export function isExchangeError(error: unknown, ...codes: ExchangeErrorCode[]): error is ExchangeError {
  return error instanceof ExchangeError && (codes.length === 0 || codes.includes(error.code));
}
