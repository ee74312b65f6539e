import type { Answer } from '../http/answer.ts';
import type { Behaviour } from '../state/model.ts';

/** The headers that section 4 of the documentation shows on every successful response. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-cache, no-store, must-revalidate',
  Expires: '0',
  Pragma: 'no-cache',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'self'",
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'X-XSS-Protection': '1; mode=block',
};

export function jsonReply(value: unknown): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...commonHeaders },
    body: Buffer.from(JSON.stringify(value)),
  };
}

export function htmlReply(page: string): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...commonHeaders },
    body: Buffer.from(page),
  };
}

const messages = { ok: 'The request was carried out.', done: 'The file was stored.', deldone: 'The file was deleted.' };

export function statusReply(code: 'ok' | 'done' | 'deldone', behaviour: Behaviour): Answer {
  return jsonReply({ status: behaviour.status === 'structured' ? { code, message: messages[code] } : code });
}
