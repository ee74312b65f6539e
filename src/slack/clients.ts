import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { SlackLog } from './log.ts';
import { quietLogger } from './log.ts';

export interface Clients {
  /** For calls with a trigger, which expires after three seconds. Doesn't retry. */
  quick: WebClient;
  /** For other calls. Retries if Slack is slow or busy. */
  patient: WebClient;
  /** For `files.info`. The SDK answers a 429 by pausing all calls of a client; this one rejects instead. */
  files: WebClient;
}

const mostCached = 200;

/**
 * Clients by token. Never pass headers as an option: the SDK writes the first token into that object, and every other
 * workspace that shares the object would use that token.
 */
export function createClients({ apiUrl, log }: { apiUrl?: string | undefined; log: SlackLog }) {
  const cache = new Map<string, Clients>();
  return (token: string): Clients => {
    const found = cache.get(token);
    if (found !== undefined) return found;
    const clients = {
      quick: new WebClient(token, { ...clientOptions(apiUrl, log), retryConfig: { retries: 0 }, timeout: 2_500 }),
      patient: new WebClient(token, clientOptions(apiUrl, log)),
      files: new WebClient(token, { ...clientOptions(apiUrl, log), rejectRateLimitedCalls: true }),
    };
    cache.set(token, clients);
    const [oldest] = cache.keys();
    if (cache.size > mostCached && oldest !== undefined) cache.delete(oldest);
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
