import { setTimeout as sleep } from 'node:timers/promises';
import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Log } from '../lib/log.ts';
import type { Meter } from '../lib/metrics.ts';
import { quietLogger } from './log.ts';
import { platformErrorOf, retryAfterMs } from './platform-errors.ts';

/** After a 429, only `retrying` waits. The others reject. */
export interface Clients {
  /** For calls with a trigger, which expires after three seconds. Never retries. */
  triggers: WebClient;
  /** For all other calls. Retries if Slack is slow or busy. */
  retrying: WebClient;
  /** For messages and files that must not appear twice. Never retries: Slack might have carried out the call. */
  once: WebClient;
  /** For `files.info`: its callers decide how long they wait. */
  files: WebClient;
}

const maxCached = 200;

/**
 * Clients by token. Never pass a shared `headers` object as an option: the SDK writes the token of the first client
 * into it, and the clients of all other workspaces would use that token.
 */
export function createClients({ apiUrl, log, metrics }: { apiUrl?: string; log: Log; metrics?: Meter }) {
  const cache = new Map<string, Clients>();
  return (token: string): Clients => {
    const cached = cache.get(token);
    if (cached !== undefined) return cached;
    const options = () => ({ ...clientOptions(apiUrl, log), rejectRateLimitedCalls: true, metrics });
    const clients = {
      triggers: new MeasuredClient(token, { ...options(), retryConfig: { retries: 0 }, timeout: 2_500 }),
      retrying: new RetryingClient(token, options()),
      once: new MeasuredClient(token, { ...options(), retryConfig: { retries: 0 } }),
      files: new MeasuredClient(token, options()),
    };
    cache.set(token, clients);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    return clients;
  };
}

class MeasuredClient extends WebClient {
  readonly #metrics: Meter | undefined;

  constructor(token: string, { metrics, ...options }: WebClientOptions & { metrics: Meter | undefined }) {
    super(token, options);
    this.#metrics = metrics;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    const started = performance.now();
    const report = (outcome: string) => {
      const seconds = (performance.now() - started) / 1000;
      this.#metrics?.observe('dropline_slack_call_duration_seconds', { method, outcome }, seconds);
    };
    try {
      const result = await super.apiCall(method, options);
      report('ok');
      return result;
    } catch (error) {
      const isRateLimited = retryAfterMs(error) !== undefined;
      report(isRateLimited ? 'rate-limited' : platformErrorOf(error) === undefined ? 'failed' : 'refused');
      throw error;
    }
  }
}

const rateLimitRetries = 3;

/**
 * Waits after a 429. Slack limits each method separately, and posts per channel, so only calls with the same limit
 * wait. The SDK would pause all calls of the client: a limited post would delay every form and role check.
 */
class RetryingClient extends MeasuredClient {
  readonly #limitedUntil = new Map<string, number>();

  override async apiCall(method: string, options: Record<string, unknown> = {}): Promise<WebAPICallResult> {
    const limit = `${method} ${String(options.channel ?? '')}`;
    for (let retries = rateLimitRetries; ; retries -= 1) {
      await this.#waitFor(limit);
      try {
        return await super.apiCall(method, options);
      } catch (error) {
        const pauseMs = retryAfterMs(error);
        if (pauseMs === undefined || retries === 0) throw error;
        this.#limitedUntil.set(limit, performance.now() + pauseMs);
      }
    }
  }

  async #waitFor(limit: string): Promise<void> {
    const remainingMs = () => (this.#limitedUntil.get(limit) ?? 0) - performance.now();
    // A loop, because a call that was sent before can extend the wait.
    while (remainingMs() > 0) await sleep(remainingMs(), undefined, { ref: false });
    this.#limitedUntil.delete(limit);
  }
}

/** The SDK's defaults retry for half an hour without a timeout. Returns a new object, because the SDK changes it. */
export function clientOptions(apiUrl: string | undefined, log: Log): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 3, factor: 2, minTimeout: 500, maxTimeout: 5_000 },
    timeout: 10_000,
    maxRequestConcurrency: 20,
    allowAbsoluteUrls: false,
    logger: quietLogger(log),
  };
}
