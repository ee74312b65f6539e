import { ExchangeError } from './errors.ts';
import { type Operation, operations } from './operations.ts';
import { transportError } from './transport-errors.ts';
import type { Answer } from './wire.ts';
import { type Redact, shorten, wordsOf } from './words.ts';

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

/** Passes each chunk to `take` as it arrives: the cheapest way to read if `take` never waits. */
export function consume(answer: Answer, ms: number, take: (chunk: Buffer) => void): Promise<void> {
  const { body, signal, operation } = answer;
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => body.destroy(tooLate(operation)), ms);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      end();
    };
    body.on('end', () => settle(resolve));
    body.on('error', (error) =>
      settle(() => reject(signal.aborted ? signal.reason : transportError(error, operation, true))),
    );
    body.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        settle(() => reject(error));
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

/** Throws unless the status is a success. The body of a refusal is read for its text. */
export async function expectSuccess(answer: Answer, bounds: Bounds, redact: Redact): Promise<void> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (answer.status >= 200 && answer.status < 300) {
    if (encoding === 'identity') return;
    answer.body.destroy();
    // We asked for no encoding. Accepting one would store a file in its compressed form.
    throw changedFormat(answer.operation, 'no content encoding', String(encoding), redact);
  }
  const text = await beginning(answer, bounds);
  const words = encoding === 'identity' ? wordsOf(text) : '';
  throw isGatewayAlone(answer) ? unanswered(answer, words, redact) : refusal(answer, words, redact);
}

/**
 * A gateway error: the service behind it didn't answer, but can have processed the request, or can do so later. On the
 * account page it's an ordinary refusal, because that request changes nothing.
 */
function isGatewayAlone({ operation, status }: Answer): boolean {
  return operation !== 'signIn' && status >= 502 && status <= 504;
}

/** A timeout, because callers must treat it as one: the token isn't the reason, and an immediate retry is useless. */
function unanswered({ operation, status }: Answer, words: string, redact: Redact): ExchangeError {
  const said = shorten(redact(words));
  const how = [`HTTP ${status}`, said && `"${said}"`].filter(Boolean).join(', ');
  const text = `Could not ${operations[operation].does}: the service did not answer, a gateway did in its place (${how}).`;
  return new ExchangeError('timeout', text, { operation, status, said });
}

/** A refusal as an error. Whether it is about the token is decided in session.ts, where the token is known. */
export function refusal(answer: Pick<Answer, 'operation' | 'status'>, words: string, redact: Redact): ExchangeError {
  const { operation, status } = answer;
  const said = shorten(redact(words));
  const code = operation === 'download' && (status === 404 || status === 410) ? 'not-found' : 'refused';
  const how = [status >= 200 && status < 300 ? '' : `HTTP ${status}`, said && `"${said}"`].filter(Boolean).join(', ');
  const text = `The service refused to ${operations[operation].does}${how && ` (${how})`}.`;
  return new ExchangeError(code, text, { operation, status, said });
}

export function changedFormat(operation: Operation, expected: string, came: string, redact: Redact): ExchangeError {
  const said = shorten(redact(came));
  return notAsDocumented(operation, `expected ${expected}, got ${said || 'nothing'}`, said);
}

function notAsDocumented(operation: Operation, how: string, said?: string): ExchangeError {
  const text = `The service's answer to "${operations[operation].does}" is not as documented: ${how}.`;
  return new ExchangeError('changed-format', text, { operation, said });
}

function tooLate(operation: Operation): ExchangeError {
  return new ExchangeError('timeout', `Could not ${operations[operation].does}: its answer took too long.`, {
    operation,
  });
}

/** The beginning of a body, for an error message. The rest and a premature end don't matter for that. */
export async function beginning(answer: Answer, { bytes, ms }: Bounds): Promise<string> {
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
