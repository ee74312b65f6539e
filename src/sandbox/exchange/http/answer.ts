import type { ServerResponse } from 'node:http';
import type { Behaviour } from '../state/model.ts';

/** A file's data, opened only when it is sent. */
export interface StreamedBody {
  bytes: number;
  open(): AsyncIterable<Buffer>;
}

/** An answer as data, so that a fault can withhold it or send half of it. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | StreamedBody;
  framing?: Behaviour['downloadFraming'];
}

/**
 * Sends an answer. `beforeLast` runs just before the last chunk is written, so what it records is visible before the
 * client can see the end. Resolves to whether the complete answer was sent.
 */
export async function send(response: ServerResponse, answer: Answer, beforeLast = () => {}): Promise<boolean> {
  if (isDisconnected(response)) return false;
  writeHead(response, answer);
  let last: Buffer | undefined;
  for await (const chunk of chunksOf(answer.body)) {
    if (last && !(await write(response, last))) return false;
    last = chunk;
  }
  if (isDisconnected(response)) return false;
  beforeLast();
  response.end(last);
  if (!response.closed) await new Promise<void>((resolve) => void response.once('close', resolve));
  return response.writableFinished;
}

/**
 * Sends the head and half of the body, or half of a status line if the body has less than two bytes. Doesn't end the
 * response.
 */
export async function sendHalf(response: ServerResponse, answer: Answer): Promise<void> {
  if (isDisconnected(response)) return;
  // Wait until the data is written to the socket: the following reset would discard it.
  const flushed = (write: (done: () => void) => void) => new Promise<void>((resolve) => write(resolve));
  let remaining = Math.floor(sizeOf(answer.body) / 2);
  if (remaining === 0) {
    await flushed((done) => response.socket?.write('HTTP/1.1 2', done));
  } else {
    writeHead(response, answer);
    for await (const chunk of chunksOf(answer.body)) {
      const part = chunk.subarray(0, remaining);
      remaining -= part.length;
      await flushed((done) => response.write(part, done));
      if (remaining === 0) break;
    }
  }
}

function writeHead(response: ServerResponse, { status, headers, body, framing = 'length' }: Answer): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (framing === 'length') response.setHeader('Content-Length', sizeOf(body));
  else if (framing === 'chunked') response.setHeader('Transfer-Encoding', 'chunked');
  else {
    // Removing both headers makes node add neither.
    response.removeHeader('Content-Length');
    response.removeHeader('Transfer-Encoding');
    response.setHeader('Connection', 'close');
  }
  response.flushHeaders();
}

async function write(response: ServerResponse, chunk: Buffer): Promise<boolean> {
  if (isDisconnected(response)) return false;
  if (response.write(chunk)) return true;
  await new Promise<void>((resolve) => {
    const proceed = () => {
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.once('drain', proceed).once('close', proceed);
  });
  return !isDisconnected(response);
}

function isDisconnected(response: ServerResponse): boolean {
  return response.closed || response.destroyed || (response.req.socket?.destroyed ?? true);
}

function sizeOf(body: Answer['body']): number {
  return Buffer.isBuffer(body) ? body.length : body.bytes;
}

async function* chunksOf(body: Answer['body']): AsyncGenerator<Buffer> {
  if (!Buffer.isBuffer(body)) yield* body.open();
  else if (body.length > 0) yield body;
}
