import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, Dispatcher } from 'undici';
import { bounds } from '../bounds.ts';
import { ExchangeError } from './errors.ts';
import { createHostPolicy } from './host-policy.ts';

export interface ServiceAgentOptions {
  /** Patterns of the allowed hosts. Without any, every public https host is allowed. */
  hosts?: readonly string[] | undefined;
  connectTimeoutMs?: number | undefined;
  /** Replaces the certificate authorities that Node trusts, for services with a private one. */
  ca?: string | undefined;
  lookup?: LookupFunction | undefined;
}

/**
 * The connections to services. Every connection passes the host policy. Redirects are not followed. The caller that
 * creates the agent closes it.
 */
export function createServiceAgent(options: ServiceAgentOptions = {}): Dispatcher {
  return new ServiceAgent(options);
}

class ServiceAgent extends Dispatcher {
  readonly #calls: Agent;
  /**
   * For requests that close their connection (`reset`), so each of them gets a new one. On a reused connection that the
   * service is just closing, a dispatch would fail with an unknown outcome.
   */
  readonly #singleUse: Agent;
  /** For downloads (`blocking`), which are as slow as their readers. Separate, so that they never block calls. */
  readonly #downloads: Agent;
  #closed = false;

  constructor(options: ServiceAgentOptions) {
    super();
    const connect = createConnector(options);
    this.#calls = new Agent({ connect, connections: bounds.callConnections });
    this.#singleUse = new Agent({ connect });
    this.#downloads = new Agent({ connect, connections: bounds.downloadConnections });
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // Here it's certain that nothing was sent. Later, the error would look like a connection that broke off.
    if (this.#closed) throw new ExchangeError('unreachable', 'The connections to the service were closed.');
    return this.#agentFor(options).dispatch(options, handler);
  }

  #agentFor({ reset, blocking }: Agent.DispatchOptions): Agent {
    if (reset) return this.#singleUse;
    return blocking ? this.#downloads : this.#calls;
  }

  get #agents(): Agent[] {
    return [this.#calls, this.#singleUse, this.#downloads];
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | void {
    this.#closed = true;
    return whenClosed(
      this.#agents.map((agent) => agent.close()),
      callback,
    );
  }

  override destroy(error?: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(error?: Error | null | (() => void), callback?: () => void): Promise<void> | void {
    this.#closed = true;
    const reason = typeof error === 'function' ? null : (error ?? null);
    return whenClosed(
      this.#agents.map((agent) => agent.destroy(reason)),
      typeof error === 'function' ? error : callback,
    );
  }
}

function whenClosed(closing: Promise<void>[], callback?: () => void): Promise<void> | void {
  const closed = Promise.all(closing).then(() => undefined);
  if (callback === undefined) return closed;
  closed.then(callback, callback);
}

function createConnector(options: ServiceAgentOptions): buildConnector.connector {
  const policy = createHostPolicy(options.hosts, options.lookup);
  const base = { timeout: options.connectTimeoutMs ?? 10_000, ...(options.ca === undefined ? {} : { ca: options.ca }) };
  const unrestricted = buildConnector({ ...base, ...(options.lookup === undefined ? {} : { lookup: options.lookup }) });
  const guarded = buildConnector({ ...base, lookup: policy.lookup });
  return (target, callback) => {
    const destination = { protocol: target.protocol, hostname: target.hostname, port: target.port };
    try {
      policy.check(destination);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    (policy.isListed(destination) ? unrestricted : guarded)(target, callback);
  };
}
