import type { Exchange } from '../../../exchange/index.ts';

/** Tells whether work can continue: the lock that it runs under, or another condition that must still hold. */
export interface Guard {
  signal: AbortSignal;
  /** Rejects if the next call must not be made. */
  check(): Promise<void>;
}

/** A client that runs the check before every call. The signal aborts a call that is running. */
export function guarded(exchange: Exchange, { signal, check }: Guard): Exchange {
  return exchange.with({ signal, beforeCall: check });
}
