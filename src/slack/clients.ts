import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { SlackLog } from './log.ts';
import { quietLogger } from './log.ts';

export interface Clients {
  /** For calls with a trigger, which expires after three seconds. Never retries. */
  quick: WebClient;
  /** For all other calls. Retries if Slack is slow or busy. */
  retrying: WebClient;
  /** For messages that must not appear twice. Never retries, because Slack might have carried out the call. */
  once: WebClient;
  /** For `files.info`. Rejects on a 429. By default, the SDK would pause all calls of the client. */
  files: WebClient;
}

const maxCached = 200;

/**
 * Clients by token. Never pass a shared `headers` object as an option: the SDK writes the token of the first client
 * into it, and the clients of all other workspaces would use that token.
 */
export function createClients({ apiUrl, log }: { apiUrl?: string | undefined; log: SlackLog }) {
  const cache = new Map<string, Clients>();
  return (token: string): Clients => {
    const cached = cache.get(token);
    if (cached !== undefined) return cached;
    const clients = {
      quick: new WebClient(token, { ...clientOptions(apiUrl, log), retryConfig: { retries: 0 }, timeout: 2_500 }),
      retrying: new WebClient(token, clientOptions(apiUrl, log)),
      once: new WebClient(token, {
        ...clientOptions(apiUrl, log),
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      }),
      files: new WebClient(token, { ...clientOptions(apiUrl, log), rejectRateLimitedCalls: true }),
    };
    cache.set(token, clients);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    return clients;
  };
}

/** The SDK's defaults retry for half an hour without a timeout. Returns a new object, because the SDK changes it. */
export function clientOptions(apiUrl: string | undefined, log: SlackLog): WebClientOptions {
  return {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    retryConfig: { retries: 3, factor: 2, minTimeout: 500, maxTimeout: 5_000 },
    timeout: 10_000,
    maxRequestConcurrency: 20,
    allowAbsoluteUrls: false,
    logger: quietLogger(log),
  };
}
