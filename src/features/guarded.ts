import type { Exchange } from '../exchange/index.ts';

/** What says whether work may go on: the lock that it is done under, or whatever else must still hold. */
export interface Guard {
  signal: AbortSignal;
  /** Rejects unless the next call may be made. */
  check(): Promise<void>;
}

/** The same client, which asks before every single call whether it may still be made, and is cut off when it may not. */
export function guarded(exchange: Exchange, { signal, check }: Guard): Exchange {
  return exchange.with({ signal, beforeCall: check });
}
