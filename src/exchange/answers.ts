import { ExchangeError } from './errors.ts';
import { type Operation, operations } from './operations.ts';
import { transportError } from './transport-errors.ts';
import type { Answer } from './wire.ts';
import { type Redact, shorten, wordsOf } from './words.ts';

/** Reads a body to its end, or fails as soon as it is longer than it may be. */
export async function readBody(answer: Answer, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await consume(answer, (chunk) => {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLong(answer.operation, maxBytes);
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** Gives each chunk to `take` as it comes: the cheapest way to read, for those who never need to wait. */
export function consume({ body, signal, operation }: Answer, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    body.on('end', resolve);
    body.on('error', (error) => reject(signal.aborted ? signal.reason : transportError(error, operation)));
    body.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        reject(error);
        body.destroy();
      }
    });
  });
}

/** The chunks of a body, for those who work on them and hold back what follows. Leaving the loop early closes the connection. */
export async function* chunksOf(answer: Answer): AsyncGenerator<Buffer> {
  try {
    yield* answer.body;
  } catch (error) {
    answer.signal.throwIfAborted();
    throw transportError(error, answer.operation);
  }
}

/** Throws unless the service said yes; the body of a refusal is read for its words. */
export async function expectSuccess(answer: Answer, maxBytes: number, redact: Redact): Promise<void> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (answer.status >= 200 && answer.status < 300 && encoding === 'identity') return;
  if (encoding !== 'identity') {
    answer.body.destroy();
    // None was asked for; taken as it comes, a file would be its own compressed copy.
    throw changedFormat(answer.operation, 'no content encoding', String(encoding), redact);
  }
  throw refusal(answer, wordsOf(await beginning(answer, maxBytes)), redact);
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
  return new ExchangeError(
    'changed-format',
    `The service's answer to "${operations[operation].does}" is not as documented: expected ${expected}, got ${said || 'nothing'}.`,
    { operation, said },
  );
}

function tooLong(operation: Operation, maxBytes: number): ExchangeError {
  const text = `The service's answer to "${operations[operation].does}" is not as documented: over ${maxBytes} bytes.`;
  return new ExchangeError('changed-format', text, { operation });
}

/** As much of a body as may be kept; the rest, and an early end, do not matter for words. */
export async function beginning(answer: Answer, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) break;
    }
  } catch {
    answer.signal.throwIfAborted();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
