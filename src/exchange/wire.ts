import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Account } from './address.ts';
import type { Limits } from './limits.ts';
import { factsOf, type Operation } from './operations.ts';
import { transportError } from './transport-errors.ts';

/** What every request needs to know of the account; nothing of what a request is about. */
export interface Wire {
  account: Account;
  authorization: string;
  dispatcher: Dispatcher;
  limits: Limits;
}

export interface Request {
  operation: Operation;
  /** Below the account's path; the operation's own unless told. */
  path?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: Readable;
  /** A body of JSON, written already. */
  json?: string;
  signal: AbortSignal;
}

export interface Answer {
  operation: Operation;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
  signal: AbortSignal;
}

/** Sends one request and resolves with the headers of its answer, whatever its status. The body is the caller's to end. */
export async function send(wire: Wire, request: Request): Promise<Answer> {
  const { operation, signal } = request;
  const { method, path = '', commits = false } = factsOf(operation);
  try {
    const response = await wire.dispatcher.request({
      origin: wire.account.origin,
      path: wire.account.path + (request.path ?? path),
      method,
      headers: {
        authorization: wire.authorization,
        ...(request.token === undefined ? {} : { 'csrf-token': request.token }),
        ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      body: request.body ?? request.json ?? null,
      signal,
      headersTimeout: wire.limits.answerMs,
      bodyTimeout: wire.limits.idleMs,
      // Asks for a connection of its own: see agent.ts.
      reset: commits,
      // Downloads have their own connections: see agent.ts.
      blocking: operation === 'download',
    });
    const { statusCode: status, headers, body } = response;
    // Whoever reads it is told what goes wrong. A body that is given up unread fails too, with nobody to tell: without
    // a listener that would end the process.
    body.on('error', () => {});
    return { operation, status, headers, body, signal };
  } catch (error) {
    signal.throwIfAborted();
    throw transportError(error, operation);
  }
}
