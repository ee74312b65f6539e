import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

export interface SignedRequest {
  url: string;
  type: string;
  body: string;
  signingSecret: string;
  retry: number;
  retryReason: string | undefined;
  signal: AbortSignal;
}

export interface BotResponse {
  status: number;
  type: string;
  text: string;
  /** The bot asked for no retries. */
  noRetry: boolean;
}

/** Sends one signed request on a new connection. Redirects aren't followed. */
export function postToBot({
  url,
  type,
  body,
  signingSecret,
  retry,
  retryReason,
  signal,
}: SignedRequest): Promise<BotResponse> {
  // Real time, not the server's clock: the bot compares it with its own.
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
    ...(retry > 0 && { 'x-slack-retry-num': retry, 'x-slack-retry-reason': retryReason ?? 'unknown_error' }),
  };
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          text: Buffer.concat(chunks).toString(),
          noRetry: response.headers['x-slack-no-retry'] === '1',
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
