import { unlessAborted, within } from './abort.ts';
import { fetchToken } from './account-page.ts';
import { expectSuccess } from './answers.ts';
import { ExchangeError, isExchangeError } from './errors.ts';
import type { Limits } from './limits.ts';
import { type Operation, operations } from './operations.ts';
import { createTokenKeeper, type TokenInHand, type TokenStore } from './tokens.ts';
import { type Answer, type Request, send, type Wire } from './wire.ts';
import { createRedactor, type Redact } from './words.ts';

/** The part of a pino logger that is used here. */
export interface Log {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** An account's conversation with the service: every operation goes through `call`. */
export interface Session {
  limits: Limits;
  /** Sends a request with the token in hand and passes on its answer if the status says success. */
  ask(request: Omit<Request, 'token'>, token: TokenInHand): Promise<Answer>;
  /** Runs `attempt` with a live token, and once more with a fresh one if it was refused and repeating is harmless. */
  call<T>(operation: Operation, options: CallOptions, attempt: Attempt<T>): Promise<T>;
  /** Fetches a token from the account's page, whatever is kept. */
  signIn(options: CallOptions): Promise<void>;
  /** Takes the key and the tokens out of foreign words. */
  redact: Redact;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export type Attempt<T> = (token: TokenInHand, signal: AbortSignal) => Promise<T>;

export interface SessionOptions {
  wire: Wire;
  secrets: readonly string[];
  tokens: TokenStore;
  clock: () => number;
  log: Log | undefined;
}

/** Transfers take as long as they take; all else is over in `callMs`. */
const unhurried: Operation[] = ['upload', 'download'];

export function createSession({ wire, secrets, tokens, clock, log }: SessionOptions): Session {
  const { account, limits } = wire;
  const { redact, learn } = createRedactor(secrets);
  const keeper = createTokenKeeper({
    store: tokens,
    account: account.id,
    lifeMs: limits.tokenLifeMs,
    clock,
    fetch: () => timed('signIn', {}, (signal) => fetchToken(wire, redact, signal)),
  });

  /** Bounds a call in time and writes its line in the log. */
  async function timed<T>(operation: Operation, options: CallOptions, work: (signal: AbortSignal) => Promise<T>) {
    const started = clock();
    const line = () => ({ operation, account: account.id, ms: clock() - started });
    const late = () =>
      new ExchangeError('timeout', `Could not ${operations[operation].does}: it took too long.`, { operation });
    try {
      const result = await within(
        unhurried.includes(operation) ? undefined : limits.callMs,
        options.signal,
        late,
        work,
      );
      log?.debug(line(), 'exchange call');
      return result;
    } catch (error) {
      const known = isExchangeError(error) ? { code: error.code, status: error.status } : { code: 'aborted' };
      log?.warn({ ...line(), ...known }, 'exchange call failed');
      throw error;
    }
  }

  async function attemptOnce<T>(attempt: Attempt<T>, token: TokenInHand, signal: AbortSignal): Promise<T> {
    learn(token.value);
    const at = clock();
    const result = await attempt(token, signal);
    // What the service did is done: a store that fails now must not make it look undone.
    await keeper.used(token, at).catch((error: unknown) => {
      log?.warn({ account: account.id, err: error }, 'token use not noted');
    });
    return result;
  }

  return {
    limits,
    redact,
    async ask(request, token) {
      const answer = await send(wire, { ...request, token: token.value });
      await expectSuccess(answer, limits.statusBytes, redact);
      return answer;
    },
    call: (operation, options, attempt) =>
      timed(operation, options, async (signal) => {
        const token = await unlessAborted(keeper.current(), signal);
        try {
          return await attemptOnce(attempt, token, signal);
        } catch (error) {
          if (!isAnswered(error) || token.fresh || !operations[operation].repeatable) throw meaningOf(error);
          // A refusal has no documented shape, so this may or may not have been about the token. Asking for another
          // also tells wrong credentials from a wrong token.
          const another = await unlessAborted(keeper.renew(token.value), signal);
          return await attemptOnce(attempt, another, signal).catch((again: unknown) => {
            throw meaningOf(again);
          });
        }
      }),
    async signIn(options) {
      await unlessAborted(keeper.renew((await tokens.read(account.id))?.value), options.signal);
    },
  };
}

function isAnswered(error: unknown): boolean {
  return isExchangeError(error, 'refused', 'changed-format', 'not-found');
}

/** A refusal that is about the token although the token is fresh; the credentials are good, or there were no token. */
function meaningOf(error: unknown): unknown {
  if (!isExchangeError(error, 'refused')) return error;
  const { operation, status, said = '' } = error;
  const aboutToken = status === 401 || (status === 403 && !said) || /csrf|token/i.test(said);
  if (!aboutToken) return error;
  return new ExchangeError('token-refused', `The service does not accept its own token. ${error.message}`, {
    operation,
    status,
    said,
    cause: error,
  });
}
