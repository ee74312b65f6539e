import type { Operation } from './operations.ts';

/**
 * What can go wrong between us and the service, as far as a caller must tell it apart.
 *
 * - `invalid-input`: what we were asked to send cannot be sent; nothing was requested
 * - `address-not-allowed`: the address is not one that may be connected; nothing was requested
 * - `unreachable`: no connection could be made; the service has seen nothing
 * - `timeout`: connected or not, the service did not go on in time, or a gateway (502, 503, 504) answered in its place
 * - `credentials-refused`: the account's own page refuses this user and key
 * - `token-refused`: the account's page gives tokens, but the service refuses a fresh one
 * - `refused`: the service answered and said no; `said` holds its words
 * - `not-the-service`: the account's page bears no token, so this is another site, or another page of it
 * - `changed-format`: the answer is not what the API describes
 * - `cut-short`: a stream ended, or had more, before or after what was announced
 * - `not-found`: what was to be downloaded is not there (any more)
 * - `outcome-unknown`: a dispatch or a grant went out and no `ok` came back; it may have happened
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
  /** HTTP status, where there was an answer. */
  status?: number | undefined;
  /** The service's own words, shortened and with secrets removed. They are a stranger's: escape them. */
  said?: string | undefined;
  cause?: unknown;
}

/** Every failure of this library, but for an abort: that rejects with the signal's own reason. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly code: ExchangeErrorCode;
  readonly operation: Operation | undefined;
  readonly status: number | undefined;
  readonly said: string | undefined;

  constructor(code: ExchangeErrorCode, message: string, details: ExchangeErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.operation = details.operation;
    this.status = details.status;
    this.said = details.said;
  }
}

export function isExchangeError(error: unknown, ...codes: ExchangeErrorCode[]): error is ExchangeError {
  return error instanceof ExchangeError && (codes.length === 0 || codes.includes(error.code));
}
