import type { Readable } from 'node:stream';
import type { Account } from './address.ts';
import type { ServiceAgent } from './agent.ts';
import type { Limits } from './limits.ts';
import { type Operation, specOf } from './operations.ts';
import { transportError } from './transport-errors.ts';

/** Shared by all requests of an account. */
export interface Transport {
  account: Account;
  authorization: string;
  dispatcher: ServiceAgent;
  limits: Limits;
}

export interface Request {
  operation: Operation;
  /** Relative to the account's path; by default the operation's path. */
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

/** Sends one request and resolves with its answer, whatever the status. The caller reads or destroys the body. */
export async function send(transport: Transport, request: Request): Promise<Answer> {
  const { operation, signal } = request;
  const { method, path = '', commits = false } = specOf(operation);
  try {
    const response = await transport.dispatcher.agentFor(operation).request({
      origin: transport.account.origin,
      path: transport.account.path + (request.path ?? path),
      method,
      headers: {
        authorization: transport.authorization,
        ...(request.token === undefined ? {} : { 'csrf-token': request.token }),
        ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      body: request.body ?? request.json ?? null,
      signal,
      headersTimeout: transport.limits.answerMs,
      bodyTimeout: transport.limits.idleMs,
      reset: commits,
    });
    const { statusCode: status, headers, body } = response;
    // A reader gets the error itself. For a body that no one reads, an error without a listener would end the process.
    body.on('error', () => {});
    return { operation, status, headers, body, signal };
  } catch (error) {
    signal.throwIfAborted();
    throw transportError(error, operation);
  }
}
