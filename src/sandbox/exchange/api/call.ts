import type { IncomingMessage, ServerResponse } from 'node:http';
import { Aborted, bodyOf } from '../../node-http.ts';
import { type Answer, send } from '../http/answer.ts';
import type { Connections } from '../http/connections.ts';
import type { Call, Operation } from '../state/model.ts';
import { Refusal } from '../state/refusal.ts';
import { invalidToken, useToken } from '../state/tokens.ts';
import type { World } from '../state/world.ts';
import { authenticate } from './auth.ts';
import { refusalAnswer } from './refusal-answer.ts';
import { routes } from './routes.ts';

export interface Target {
  user: string;
  /** The segments after the user's. */
  path: string[];
  query: string;
  /** Undefined if no route matches the path. */
  operation: Operation | undefined;
}

export interface Result {
  answer: Answer;
  refused: boolean;
}

/** One request to the API, as steps that the normal flow and the faults combine. */
export class ApiCall {
  readonly world: World;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: AsyncIterable<Buffer>;
  readonly operation: Operation | undefined;
  readonly #target: Target;
  readonly #connections: Connections;
  readonly #token: string | undefined;
  readonly #at: number;
  readonly #connection: number;

  constructor(
    world: World,
    connections: Connections,
    { request, response, target }: { request: IncomingMessage; response: ServerResponse; target: Target },
  ) {
    this.world = world;
    this.request = request;
    this.response = response;
    this.body = world.behaviour.delayMs === 0 ? bodyOf(request) : this.#paced(bodyOf(request));
    this.operation = target.operation;
    this.#target = target;
    this.#connections = connections;
    const token = request.headers['csrf-token'];
    this.#token = typeof token === 'string' ? token : undefined;
    this.#at = world.clock();
    this.#connection = connections.numberOf(request);
  }

  /** Waits for `delayMs`. An upload waits while its body is read. */
  async delay(): Promise<void> {
    if (this.operation !== 'upload') await this.#pause(this.world.behaviour.delayMs);
  }

  async *#paced(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const length = Number(this.request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    for await (const chunk of body) {
      const uploadMs = this.operation === 'upload' ? 10 * this.world.behaviour.delayMs : 0;
      await this.#pause((uploadMs * chunk.length) / length);
      yield chunk;
    }
  }

  /** Ends early if the client disconnects. */
  async #pause(ms: number): Promise<void> {
    if (ms === 0) return;
    const { socket } = this.request;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, ms);
      socket.once('close', end);
      function end() {
        clearTimeout(timer);
        socket.off('close', end);
        resolve();
      }
    });
  }

  /** Processes the request, or refuses it. */
  async process(body: AsyncIterable<Buffer>, { tokenValid = true } = {}): Promise<Result> {
    const { world, operation } = this;
    const { headers, method } = this.request;
    const { user, path, query } = this.#target;
    try {
      const account = authenticate(world.accounts, user, headers.authorization);
      if (!operation) throw new Refusal(404, 'there is nothing here');
      const route = routes[operation];
      if (method !== route.method) throw new Refusal(405, `this takes ${route.method} only`, { Allow: route.method });
      if (!tokenValid) throw invalidToken();
      if (operation !== 'index') useToken(account, this.#token, world.clock(), world.behaviour);
      return { answer: await route.handler({ world, account, headers, query, path, body }), refused: false };
    } catch (error) {
      if (error instanceof Refusal) return this.refuse(error);
      throw error;
    }
  }

  refuse(refusal: Refusal): Result {
    return { answer: refusalAnswer(refusal, this.world.behaviour), refused: true };
  }

  async deliver({ answer, refused }: Result): Promise<void> {
    // A refusal can come before the body is read. Discard the rest so that the connection can be reused.
    this.request.resume();
    let logged = false;
    await send(this.response, answer, () => {
      logged = true;
      this.log(refused ? 'refused' : 'done', !refused);
    });
    if (!logged) this.log('aborted', !refused);
  }

  async unlessAborted(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Aborted)) throw error;
      this.log('aborted', false);
    }
  }

  /** Logs operations only; a path without a route isn't logged. */
  log(outcome: Call['outcome'], processed: boolean): Pick<Call, 'processed'> {
    const call = { user: this.#target.user, at: this.#at, connection: this.#connection, token: this.#token };
    const entry = { ...call, outcome, processed };
    if (!this.operation) return entry;
    const logged: Call = { operation: this.operation, ...entry };
    this.world.calls.push(logged);
    return logged;
  }

  reset(processed: boolean): Pick<Call, 'processed'> {
    const logged = this.log('reset', processed);
    this.#connections.reset(this.request);
    return logged;
  }
}
