import type { Exchange } from '../../../exchange/index.ts';

/** Checks whether work can continue, for example whether it still holds its lock. */
export interface Guard {
  signal: AbortSignal;
  /** Rejects if the next call must not be made. */
  check(): Promise<void>;
}

/** A client that runs the check before every call. The signal aborts a running call. */
export function guarded(exchange: Exchange, { signal, check }: Guard): Exchange {
  return exchange.with({ signal, beforeCall: check });
}
