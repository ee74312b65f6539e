import type { Operation } from './operations.ts';

/**
 * Why a call failed: the cases that callers must distinguish.
 *
 * - `invalid-input`: the input can't be sent; no request was made
 * - `address-not-allowed`: the host policy doesn't allow the address; no request was made
 * - `unreachable`: no connection could be made; the service did not see the request
 * - `timeout`: the service or the source of an upload was too slow, or a gateway answered (502, 503, 504). During
 *   `signIn`, a gateway's answer is `refused`
 * - `credentials-refused`: the account page refuses this user and key
 * - `token-refused`: the service refuses a token that its account page issued
 * - `refused`: the service rejected the request; `serviceText` has its reason
 * - `not-the-service`: this is another site or page: no token, a redirect, no such page, or invalid HTTP
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
  operation?: Operation;
  /** HTTP status, if there was an answer. */
  status?: number;
  /** The service's text, shortened and redacted. Untrusted: escape it. */
  serviceText?: string;
  cause?: unknown;
}

/**
 * Every failure of this library itself. An abort rejects with the signal's reason; errors of hooks and of an upload's
 * source are passed on unchanged.
 */
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
