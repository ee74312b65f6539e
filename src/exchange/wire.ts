import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Account } from './address.ts';
import type { Limits } from './limits.ts';
import { factsOf, type Operation } from './operations.ts';
import { transportError } from './transport-errors.ts';

/** What every request of an account needs. */
export interface Wire {
  account: Account;
  authorization: string;
  dispatcher: Dispatcher;
  limits: Limits;
}

export interface Request {
  operation: Operation;
  /** Relative to the account's path; by default that of the operation. */
  path?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: Readable;
  /** A serialised JSON body. */
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

/** Sends one request and resolves with the headers of its answer, whatever its status. The caller ends the body. */
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
      // Uses a separate connection: see agent.ts.
      reset: commits,
      // Downloads have their own connections: see agent.ts.
      blocking: operation === 'download',
    });
    const { statusCode: status, headers, body } = response;
    // A reader gets the error itself. A body that is abandoned unread fails too, and without a listener that would end
    // the process.
    body.on('error', () => {});
    return { operation, status, headers, body, signal };
  } catch (error) {
    signal.throwIfAborted();
    throw transportError(error, operation);
  }
}
