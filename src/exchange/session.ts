import { unlessAborted, within } from './abort.ts';
import { fetchToken } from './account-page.ts';
import { accountName } from './address.ts';
import { type Bounds, expectSuccess } from './answers.ts';
import { ExchangeError, isExchangeError } from './errors.ts';
import type { Limits } from './limits.ts';
import { factsOf, type Operation } from './operations.ts';
import { createTokenKeeper, type TokenInHand, type TokenStore } from './tokens.ts';
import { type Answer, type Request, send, type Wire } from './wire.ts';
import { createRedactor, type Redact } from './words.ts';

/** The part of a pino logger that is used here. */
export interface Log {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Authenticated calls for one account: every operation goes through `call`. */
export interface Session {
  limits: Limits;
  /** The bounds of a status answer and of a refusal. */
  small: Bounds;
  /** Sends a request with this token and resolves with its answer if the status is a success. */
  ask(request: Omit<Request, 'token'>, token: TokenInHand): Promise<Answer>;
  /** Runs `attempt` with a valid token, and once more with a fresh one if it was refused and a retry is safe. */
  call<T>(operation: Operation, options: SentOptions, attempt: Attempt<T>): Promise<T>;
  /** Fetches a new token from the account page, even if one is stored. */
  signIn(options: CallOptions): Promise<void>;
  /** Removes the key and the tokens from the service's text. */
  redact: Redact;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface SentOptions extends CallOptions {
  /** Whether the whole body was sent. */
  isWhole?: (() => boolean) | undefined;
}

export type Attempt<T> = (token: TokenInHand, signal: AbortSignal) => Promise<T>;

/** Runs `work` when it is its turn, or rejects with the signal's reason. */
export type Turn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export interface SessionOptions {
  wire: Wire;
  turn: Turn | undefined;
  secrets: readonly string[];
  tokens: TokenStore;
  clock: () => number;
  log: Log | undefined;
}

/** A token that worked this recently isn't the reason for a missing file, so it isn't renewed for one. */
const justNowMs = 30_000;

export function createSession({ wire, turn = (work) => work(), secrets, tokens, clock, log }: SessionOptions): Session {
  const { account, limits } = wire;
  const { redact, learn } = createRedactor(secrets);
  const small = { bytes: limits.statusBytes, ms: limits.callMs };
  const keeper = createTokenKeeper({
    store: tokens,
    account: accountName(account.id),
    lifeMs: limits.tokenLifeMs,
    clock,
    fetch: () => logged('signIn', () => bounded('signIn', undefined, (signal) => fetchToken(wire, redact, signal))),
  });
  let proven = { value: '', at: 0 };

  /** Fails with a timeout error after `callMs`. */
  function bounded<T>(
    operation: Operation,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ) {
    const late = () =>
      new ExchangeError('timeout', `Could not ${factsOf(operation).does}: it took too long.`, { operation });
    return within(limits.callMs, signal, late, work);
  }

  async function logged<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    const started = clock();
    const line = () => ({ operation, account: account.id, ms: clock() - started });
    try {
      const result = await work();
      log?.debug(line(), 'exchange call');
      return result;
    } catch (error) {
      const code = error instanceof Error ? error.name : 'aborted';
      log?.warn(
        { ...line(), ...(isExchangeError(error) ? { code: error.code, status: error.status } : { code }) },
        'exchange call failed',
      );
      throw error;
    }
  }

  async function attemptOnce<T>(attempt: Attempt<T>, token: TokenInHand, signal: AbortSignal): Promise<T> {
    learn(token.value);
    const at = clock();
    const result = await attempt(token, signal);
    proven = { value: token.value, at };
    // The service has acted: a store that fails or hangs now must not make the call look failed.
    keeper
      .used(token, at)
      .catch((error: unknown) => log?.warn({ account: account.id, err: error }, 'could not record token use'));
    return result;
  }

  /**
   * Whether a fresh token could help. Refusals have no documented format, so nearly any of them can be about the token.
   */
  function mayBeAboutToken(error: unknown, token: TokenInHand): boolean {
    if (token.fresh || !isExchangeError(error, 'refused', 'changed-format', 'not-found')) return false;
    return error.code !== 'not-found' || proven.value !== token.value || clock() - proven.at > justNowMs;
  }

  async function withToken<T>(operation: Operation, signal: AbortSignal, attempt: Attempt<T>): Promise<T> {
    const { commits = false } = factsOf(operation);
    const token = await bounded(operation, signal, (inner) => unlessAborted(keeper.current(), inner));
    try {
      return await attemptOnce(attempt, token, signal);
    } catch (error) {
      if (commits || !mayBeAboutToken(error, token)) throw meaningOf(error);
      // Fetching another token also distinguishes wrong credentials from a wrong token.
      const another = await bounded(operation, signal, (inner) =>
        unlessAborted(keeper.renew(token.value), inner),
      ).catch((renewal: unknown) => {
        // If the service won't issue a new token, report the first refusal: it says more.
        throw isExchangeError(renewal, 'refused') ? meaningOf(error) : renewal;
      });
      return await attemptOnce(attempt, another, signal).catch((again: unknown) => {
        throw meaningOf(again);
      });
    }
  }

  return {
    limits,
    small,
    redact,
    async ask(request, token) {
      const answer = await send(wire, { ...request, token: token.value });
      await expectSuccess(answer, small, redact);
      return answer;
    },
    call: (operation, { signal }, attempt) =>
      logged(operation, () => {
        const { transfers, commits } = factsOf(operation);
        const work = (inner: AbortSignal) => withToken(operation, inner, attempt);
        if (!transfers)
          return bounded(operation, signal, (inner) => (commits ? work(inner) : turn(() => work(inner), inner)));
        // The caller's own signal, which still works for a stream that outlives the call.
        return within(undefined, signal, undefined, work);
      }),
    signIn: ({ signal }) =>
      bounded('signIn', signal, (inner) => turn(() => unlessAborted(keeper.fetchNew(), inner), inner)),
  };
}

/** Turns a refusal of the token into `token-refused`. The credentials must be valid: the service issued a token for them. */
function meaningOf(error: unknown): unknown {
  if (!isExchangeError(error, 'refused')) return error;
  const { operation, status, said = '' } = error;
  const aboutToken = status === 401 || (status === 403 && !said) || /csrf|token/i.test(said);
  if (!aboutToken) return error;
  const details = { operation, status, said, cause: error };
  return new ExchangeError('token-refused', `The service does not accept its own token. ${error.message}`, details);
}
