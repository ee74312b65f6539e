import type { Answer } from './answer.ts';
import { refusalPage } from './pages/notice.ts';
import type { Behaviour } from './types.ts';

/** Thrown when a request is refused; `words` is the error message for a person. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, words: string, headers: Record<string, string> = {}) {
    super(words);
    this.status = status;
    this.headers = headers;
  }
}

/** Formats every refusal of the API. The documentation shows no format, so there are four to choose from. */
export function refusalAnswer(refusal: Refusal, behaviour: Behaviour): Answer {
  const words = refusal.message;
  switch (behaviour.failure) {
    case 'status':
      return shape(refusal.status, 'text/plain; charset=utf-8', `${words}\n`, refusal.headers);
    case 'html':
      return shape(200, 'text/html; charset=utf-8', refusalPage(words).text);
    case 'json': {
      const status = behaviour.status === 'structured' ? { code: 'error', message: words } : 'error';
      return shape(200, 'application/json; charset=utf-8', JSON.stringify({ status }));
    }
    case 'empty':
      return shape(200, undefined, '');
  }
}

function shape(status: number, type: string | undefined, body: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { ...(type && { 'Content-Type': type }), 'Cache-Control': 'no-store', ...headers },
    body: Buffer.from(body),
  };
}
