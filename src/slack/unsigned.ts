import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import { bounds } from '../lib/bounds.ts';

/**
 * Refuses requests that can't come from Slack, before their body is read. Bolt needs the whole body to check the
 * signature, so this also limits how many bytes of unverified requests are buffered at once.
 */
export function refuseUnsigned(listener: RequestListener): RequestListener {
  let bufferedBytes = 0;
  return (request, response) => {
    // Other paths, such as the installation pages, are for browsers, which don't sign requests.
    if (!isEventRequest(request)) return listener(request, response);
    const refuse = (status: number) => void response.writeHead(status).end();
    if (!canBeSigned(request.headers, Date.now())) return refuse(401);
    const bytes = lengthOf(request);
    if (bytes > bounds.slackBodyBytes) return refuse(413);
    // Small bodies aren't counted: Slack's requests are small, so other requests with large bodies can't block them.
    if (bytes > bounds.smallSlackBodyBytes) {
      if (bufferedBytes + bytes > bounds.unsignedBytes) return refuse(503);
      bufferedBytes += bytes;
      request.once('close', () => {
        bufferedBytes -= bytes;
      });
    }
    listener(request, response);
  };
}

/** Normalizes the path like Bolt does: `/slack/./events` is `/slack/events` too. */
export function isEventRequest({ url = '' }: IncomingMessage): boolean {
  const base = 'http://localhost';
  return URL.canParse(url, base) && new URL(url, base).pathname === '/slack/events';
}

/** Bolt allows the same five minutes. */
const staleMs = 5 * 60_000;

function canBeSigned(headers: IncomingHttpHeaders, now: number): boolean {
  const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = headers;
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return false;
  if (!/^v0=[0-9a-f]{64}$/.test(signature) || !/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(now - Number(timestamp) * 1_000) <= staleMs;
}

/** A chunked body counts as the maximum size, at which Bolt stops reading. */
function lengthOf({ headers }: IncomingMessage): number {
  const length = headers['content-length'];
  return length === undefined ? bounds.slackBodyBytes : Number(length);
}
