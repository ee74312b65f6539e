import { unlessAborted, withTimeout } from './abort.ts';
import { fetchToken } from './account-page.ts';
import { type Bounds, expectSuccess } from './answers.ts';
import { ExchangeError, type ExchangeErrorCode, isExchangeError } from './errors.ts';
import type { Limits } from './limits.ts';
import { type Operation, specOf } from './operations.ts';
import { createRedactor, type Redact } from './service-text.ts';
import { type CallToken, createTokenKeeper, type TokenStore } from './tokens.ts';
import { type Answer, type Request, send, type Transport } from './transport.ts';

/** The part of a pino logger that is used here. */
export interface Log {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Authenticated calls for one account: every operation except `signIn` goes through `call`. */
export interface Session {
  limits: Limits;
  /** Size and time limits for a status answer and for the text of a refusal. */
  statusBounds: Bounds;
  /** Sends a request with this token and resolves with its answer if the status is a success. */
  request(request: Omit<Request, 'token'>, token: CallToken): Promise<Answer>;
  /** Runs `attempt` with a valid token, and retries with a fresh one if the token was refused and a retry is safe. */
  call<T>(operation: Operation, options: SessionCallOptions, attempt: Attempt<T>): Promise<T>;
  /** Fetches a new token from the account page, even if one is stored. */
  signIn(options: CallOptions): Promise<void>;
  /** Removes the key and the tokens from the service's text. */
  redact: Redact;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface SessionCallOptions extends CallOptions {
  /** Whether the whole body was sent. */
  isBodySent?: () => boolean;
}

export type Attempt<T> = (token: CallToken, signal: AbortSignal) => Promise<T>;

/** Runs `work` when the limit on concurrent calls allows it, or rejects with the signal's reason. */
export type CallLimit = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export interface SessionOptions {
  transport: Transport;
  limitCall: CallLimit | undefined;
  secrets: readonly string[];
  tokens: TokenStore;
  clock: () => number;
  log: Log | undefined;
  onCall?: OnCall | undefined;
}

export type OnCall = (operation: Operation, outcome: ExchangeErrorCode | 'ok' | 'aborted', ms: number) => void;

/** If the token worked this recently, it isn't the reason for a missing file, so it isn't renewed. */
const recentUseMs = 30_000;

export function createSession({
  transport,
  limitCall = (work) => work(),
  secrets,
  tokens,
  clock,
  log,
  onCall,
}: SessionOptions): Session {
  const { account, limits } = transport;
  const { redact, addToken } = createRedactor(secrets);
  const statusBounds = { bytes: limits.statusBytes, ms: limits.callMs };
  const keeper = createTokenKeeper({
    store: tokens,
    account: account.id,
    lifeMs: limits.tokenLifeMs,
    clock,
    fetch: () =>
      withLog('signIn', () => withCallTimeout('signIn', undefined, (signal) => fetchToken(transport, redact, signal))),
  });
  let lastValid = { value: '', at: 0 };

  /** Fails with a timeout error after `callMs`. */
  function withCallTimeout<T>(
    operation: Operation,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ) {
    const timeoutError = () =>
      new ExchangeError('timeout', `Couldn't ${specOf(operation).action}: it took too long.`, { operation });
    return withTimeout(limits.callMs, signal, timeoutError, work);
  }

  async function withLog<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    const started = clock();
    const report = (outcome: Parameters<OnCall>[1]) => {
      const ms = clock() - started;
      onCall?.(operation, outcome, ms);
      return { operation, account: account.id, ms };
    };
    try {
      const result = await work();
      log?.debug(report('ok'), 'exchange call');
      return result;
    } catch (error) {
      const code = error instanceof Error ? error.name : 'aborted';
      const fields = report(isExchangeError(error) ? error.code : 'aborted');
      log?.warn(
        { ...fields, ...(isExchangeError(error) ? { code: error.code, status: error.status } : { code }) },
        'exchange call failed',
      );
      throw error;
    }
  }

  async function attemptOnce<T>(attempt: Attempt<T>, token: CallToken, signal: AbortSignal): Promise<T> {
    addToken(token.value);
    const at = clock();
    const result = await attempt(token, signal);
    lastValid = { value: token.value, at };
    // The call has succeeded. If the store fails or hangs now, the call must not fail with it.
    keeper
      .recordUse(token, at)
      .catch((error: unknown) => log?.warn({ account: account.id, err: error }, 'could not record token use'));
    return result;
  }

  /**
   * Whether a fresh token could help. Refusals have no documented format, so nearly all of them can be about the token.
   */
  function couldBeTokenRefusal(error: unknown, token: CallToken): boolean {
    if (token.fresh || !isExchangeError(error, 'refused', 'changed-format', 'not-found')) return false;
    return error.code !== 'not-found' || lastValid.value !== token.value || clock() - lastValid.at > recentUseMs;
  }

  async function withToken<T>(operation: Operation, signal: AbortSignal, attempt: Attempt<T>): Promise<T> {
    const { commits = false, transfers = false } = specOf(operation);
    // Other calls already have the timeout of `call`. A second signal would cost 1 KB until a full garbage collection.
    const token = await (transfers
      ? withCallTimeout(operation, signal, (callSignal) => unlessAborted(keeper.getCurrent(), callSignal))
      : unlessAborted(keeper.getCurrent(), signal));
    try {
      return await attemptOnce(attempt, token, signal);
    } catch (error) {
      if (commits || !couldBeTokenRefusal(error, token)) throw asTokenRefusal(error);
      // Fetching another token also distinguishes wrong credentials from a wrong token.
      const renewed = await withCallTimeout(operation, signal, (callSignal) =>
        unlessAborted(keeper.renew(token.value), callSignal),
      ).catch((renewal: unknown) => {
        // If the service issues no new token, the first refusal is the more useful error.
        throw isExchangeError(renewal, 'refused') ? asTokenRefusal(error) : renewal;
      });
      return await attemptOnce(attempt, renewed, signal).catch((retryError: unknown) => {
        throw asTokenRefusal(retryError);
      });
    }
  }

  return {
    limits,
    statusBounds,
    redact,
    async request(request, token) {
      const answer = await send(transport, { ...request, token: token.value });
      await expectSuccess(answer, statusBounds, redact);
      return answer;
    },
    call: (operation, { signal }, attempt) =>
      withLog(operation, () => {
        const { transfers, commits } = specOf(operation);
        const work = (callSignal: AbortSignal) => withToken(operation, callSignal, attempt);
        if (!transfers)
          return withCallTimeout(operation, signal, (callSignal) =>
            commits ? work(callSignal) : limitCall(() => work(callSignal), callSignal),
          );
        // Passes on the caller's own signal, which also aborts a stream that outlives the call.
        return withTimeout(undefined, signal, undefined, work);
      }),
    signIn: ({ signal }) =>
      withCallTimeout('signIn', signal, (callSignal) =>
        limitCall(() => unlessAborted(keeper.fetchNew(), callSignal), callSignal),
      ),
  };
}

/** Turns a refusal of the token into `token-refused`. The credentials are valid, because the service issued a token. */
function asTokenRefusal(error: unknown): unknown {
  if (!isExchangeError(error, 'refused')) return error;
  const { operation, status, serviceText = '' } = error;
  const isAboutToken = status === 401 || (status === 403 && !serviceText) || /csrf|token/i.test(serviceText);
  if (!isAboutToken) return error;
  const details = { operation, status, serviceText, cause: error };
  return new ExchangeError('token-refused', `The service rejected its own token. ${error.message}`, details);
}
