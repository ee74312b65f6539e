import { isExchangeError } from './errors.ts';
import type { Operation } from './operations.ts';
import type { CallOptions, Session } from './session.ts';

export interface CallHooks {
  /** Aborts the calls of the client. */
  signal?: AbortSignal;
  /** Runs before each call. If it rejects, the call isn't made. */
  beforeCall?: (operation: Operation) => Promise<void>;
  /** A request got no answer, so the service can still carry it out. Not called for an incompletely sent upload. */
  onUnanswered?: (operation: Operation) => void;
}

export function joinHooks(first: CallHooks, second: CallHooks): CallHooks {
  return {
    signal: anyOf(first.signal, second.signal),
    async beforeCall(operation) {
      await first.beforeCall?.(operation);
      await second.beforeCall?.(operation);
    },
    onUnanswered(operation) {
      first.onUnanswered?.(operation);
      second.onUnanswered?.(operation);
    },
  };
}

/** The same session, with hooks around every call. */
export function withHooks(session: Session, { signal, beforeCall, onUnanswered }: CallHooks): Session {
  async function prepare<T extends CallOptions>(operation: Operation, options: T): Promise<T> {
    signal?.throwIfAborted();
    await beforeCall?.(operation);
    return { ...options, signal: anyOf(signal, options.signal) };
  }
  return {
    ...session,
    async signIn(options) {
      return session.signIn(await prepare('signIn', options));
    },
    async call(operation, options, attempt) {
      const prepared = await prepare(operation, options);
      let isSent = false;
      try {
        return await session.call(operation, prepared, (token, callSignal) => {
          isSent = true;
          return attempt(token, callSignal);
        });
      } catch (error) {
        if (isSent && isUnanswered(error) && options.isBodySent?.() !== false) onUnanswered?.(operation);
        throw error;
      }
    },
  };
}

/**
 * An error that isn't an ExchangeError is the reason of an abort, which leaves a request unanswered, or a failure of an
 * upload's source, which `isBodySent` excludes.
 */
function isUnanswered(error: unknown): boolean {
  return !isExchangeError(error) || isExchangeError(error, 'timeout', 'cut-short');
}

function anyOf(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  return first === undefined || second === undefined ? (first ?? second) : AbortSignal.any([first, second]);
}
