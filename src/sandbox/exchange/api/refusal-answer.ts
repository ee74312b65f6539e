import type { Answer } from '../http/answer.ts';
import { refusalPage } from '../pages/notice.ts';
import type { Behaviour } from '../state/model.ts';
import type { Refusal } from '../state/refusal.ts';

/** Formats a refusal of the API in one of four ways: the documentation doesn't define a format. */
export function refusalAnswer(refusal: Refusal, behaviour: Behaviour): Answer {
  const { message } = refusal;
  switch (behaviour.failure) {
    case 'status':
      return answerWith(refusal.status, 'text/plain; charset=utf-8', `${message}\n`, refusal.headers);
    case 'html':
      return answerWith(200, 'text/html; charset=utf-8', refusalPage(message).text);
    case 'json': {
      const status = behaviour.status === 'structured' ? { code: 'error', message } : 'error';
      return answerWith(200, 'application/json; charset=utf-8', JSON.stringify({ status }));
    }
    case 'empty':
      return answerWith(200, undefined, '');
  }
}

function answerWith(
  status: number,
  type: string | undefined,
  body: string,
  headers: Record<string, string> = {},
): Answer {
  return {
    status,
    headers: { ...(type && { 'Content-Type': type }), 'Cache-Control': 'no-store', ...headers },
    body: Buffer.from(body),
  };
}
