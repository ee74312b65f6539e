import { ExchangeError } from './errors.ts';
import { type Operation, operations } from './operations.ts';
import { transportError } from './transport-errors.ts';
import type { Answer } from './wire.ts';
import { type Redact, shorten, wordsOf } from './words.ts';

/** How much of a body may be read, and for how long; small answers have both. */
export interface Bounds {
  bytes: number;
  ms: number;
}

/** Reads a body to its end, or fails as soon as it is longer or later than it may be. */
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

/** Gives each chunk to `take` as it comes: the cheapest way to read, for those who never need to wait. */
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

/** The chunks of a body, for those who work on them and hold back what follows. Leaving the loop closes the connection. */
export async function* chunksOf(answer: Answer): AsyncGenerator<Buffer> {
  try {
    yield* answer.body;
  } catch (error) {
    answer.signal.throwIfAborted();
    throw transportError(error, answer.operation, true);
  }
}

/** Throws unless the service said yes; the body of a refusal is read for its words. */
export async function expectSuccess(answer: Answer, bounds: Bounds, redact: Redact): Promise<void> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (answer.status >= 200 && answer.status < 300) {
    if (encoding === 'identity') return;
    answer.body.destroy();
    // None was asked for; taken as it comes, a file would be its own compressed copy.
    throw changedFormat(answer.operation, 'no content encoding', String(encoding), redact);
  }
  const text = await beginning(answer, bounds);
  const words = encoding === 'identity' ? wordsOf(text) : '';
  throw isGatewayAlone(answer) ? unanswered(answer, words, redact) : refusal(answer, words, redact);
}

/**
 * A gateway that speaks because the service behind it did not: what was asked may be done, or may be done later. On the
 * account's page it is a refusal like others, since nothing is done there.
 */
function isGatewayAlone({ operation, status }: Answer): boolean {
  return operation !== 'signIn' && status >= 502 && status <= 504;
}

/** As a timeout, because that is what it is to callers: it is not about the token, and asking again at once is no use. */
function unanswered({ operation, status }: Answer, words: string, redact: Redact): ExchangeError {
  const said = shorten(redact(words));
  const how = [`HTTP ${status}`, said && `"${said}"`].filter(Boolean).join(', ');
  const text = `Could not ${operations[operation].does}: the service did not answer, a gateway did in its place (${how}).`;
  return new ExchangeError('timeout', text, { operation, status, said });
}

/** A refusal as an error. What its status and words mean beyond "no" is decided where the token is known: session.ts. */
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

/** As much of a body as may be kept; the rest, and an early end, do not matter for words. */
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
