import { ExchangeError } from './errors.ts';
import { type Operation, operations } from './operations.ts';
import { type Redact, readableText, shorten } from './service-text.ts';
import type { Answer } from './transport.ts';
import { transportError } from './transport-errors.ts';

/** How much of a body to read, and for how long. */
export interface Bounds {
  bytes: number;
  ms: number;
}

/** Reads a whole body, or fails as soon as it exceeds its bounds. */
export async function readBody(answer: Answer, { bytes, ms }: Bounds): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  await consume(answer, ms, (chunk) => {
    length += chunk.length;
    if (length > bytes) throw notAsDocumented(answer.operation, `over ${bytes} bytes`);
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** Passes each chunk to `onChunk` as it arrives: the cheapest way to read if `onChunk` never waits. */
export function consume(answer: Answer, ms: number, onChunk: (chunk: Buffer) => void): Promise<void> {
  const { body, signal, operation } = answer;
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => body.destroy(answerTooSlow(operation)), ms);
    const finish = (end: () => void) => {
      clearTimeout(timer);
      end();
    };
    body.on('end', () => finish(resolve));
    body.on('error', (error) =>
      finish(() => reject(signal.aborted ? signal.reason : transportError(error, operation, true))),
    );
    body.on('data', (chunk: Buffer) => {
      try {
        onChunk(chunk);
      } catch (error) {
        finish(() => reject(error));
        body.destroy();
      }
    });
  });
}

/** The chunks of a body, with backpressure while the caller works on one. Leaving the loop closes the connection. */
export async function* chunksOf(answer: Answer): AsyncGenerator<Buffer> {
  try {
    yield* answer.body;
  } catch (error) {
    answer.signal.throwIfAborted();
    throw transportError(error, answer.operation, true);
  }
}

/** Throws unless the status is a success and the body isn't encoded. Reads the body of a refusal for its text. */
export async function expectSuccess(answer: Answer, bounds: Bounds, redact: Redact): Promise<void> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (answer.status >= 200 && answer.status < 300) {
    if (encoding === 'identity') return;
    answer.body.destroy();
    // We didn't offer any encoding. If we accepted one, a file would be stored in its compressed form.
    throw changedFormat(answer.operation, 'no content encoding', String(encoding), redact);
  }
  const start = await readStart(answer, bounds);
  const text = encoding === 'identity' ? readableText(start) : '';
  throw isGatewayError(answer) ? gatewayError(answer, text, redact) : refusal(answer, text, redact);
}

/**
 * The service behind the gateway didn't answer, but might have processed the request or might do so later. For the
 * account page this is an ordinary refusal, because loading the page changes nothing.
 */
function isGatewayError({ operation, status }: Answer): boolean {
  return operation !== 'signIn' && status >= 502 && status <= 504;
}

/** Reported as a timeout, because callers must treat it as one: a fresh token or an immediate retry wouldn't help. */
function gatewayError({ operation, status }: Answer, body: string, redact: Redact): ExchangeError {
  const serviceText = shorten(redact(body));
  const details = [`HTTP ${status}`, serviceText && `"${serviceText}"`].filter(Boolean).join(', ');
  const text = `Couldn't ${operations[operation].action}: a gateway answered instead of the service (${details}).`;
  return new ExchangeError('timeout', text, { operation, status, serviceText });
}

/** The error for a refusal. session.ts, which has the token, decides whether the refusal is about the token. */
export function refusal(answer: Pick<Answer, 'operation' | 'status'>, body: string, redact: Redact): ExchangeError {
  const { operation, status } = answer;
  const serviceText = shorten(redact(body));
  const code = operation === 'download' && (status === 404 || status === 410) ? 'not-found' : 'refused';
  const details = [status >= 200 && status < 300 ? '' : `HTTP ${status}`, serviceText && `"${serviceText}"`]
    .filter(Boolean)
    .join(', ');
  const text = `The service refused to ${operations[operation].action}${details && ` (${details})`}.`;
  return new ExchangeError(code, text, { operation, status, serviceText });
}

export function changedFormat(operation: Operation, expected: string, actual: string, redact: Redact): ExchangeError {
  const serviceText = shorten(redact(actual));
  return notAsDocumented(operation, `expected ${expected}, got ${serviceText || 'nothing'}`, serviceText);
}

function notAsDocumented(operation: Operation, difference: string, serviceText?: string): ExchangeError {
  const text = `The service's answer to "${operations[operation].action}" isn't as documented: ${difference}.`;
  return new ExchangeError('changed-format', text, { operation, serviceText });
}

function answerTooSlow(operation: Operation): ExchangeError {
  return new ExchangeError('timeout', `Couldn't ${operations[operation].action}: the answer took too long.`, {
    operation,
  });
}

/** The start of a body, for an error message. If reading fails, returns what has arrived; rejects only if aborted. */
export async function readStart(answer: Answer, { bytes, ms }: Bounds): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const enough = new Error('enough');
  await consume(answer, ms, (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) throw enough;
  }).catch(() => answer.signal.throwIfAborted());
  return Buffer.concat(chunks).subarray(0, bytes).toString();
}
