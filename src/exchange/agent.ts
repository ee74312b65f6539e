import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, Dispatcher } from 'undici';
import { bounds } from '../bounds.ts';
import { ExchangeError } from './errors.ts';
import { createHostPolicy } from './host-policy.ts';

export interface ServiceAgentOptions {
  /** Host patterns that can be connected; without any, every public https host. */
  hosts?: readonly string[] | undefined;
  connectTimeoutMs?: number | undefined;
  /** Replaces the certificate authorities that Node trusts, for services with a private one. */
  ca?: string | undefined;
  lookup?: LookupFunction | undefined;
}

/**
 * The connections to one service. Every connection passes the host policy. Redirects are not followed. The caller that
 * creates the agent closes it.
 */
export function createServiceAgent(options: ServiceAgentOptions = {}): Dispatcher {
  return new ServiceAgent(options);
}

class ServiceAgent extends Dispatcher {
  readonly #kept: Agent;
  /**
   * Carries only requests that close their connection (`reset`), so each of them gets a new one. On a reused connection
   * that the service is just closing, a dispatch would fail with an unknown outcome.
   */
  readonly #fresh: Agent;
  /** Downloads (`blocking`) run at the pace of their readers. Separate, so that stalled ones never block calls. */
  readonly #downloads: Agent;
  #closed = false;

  constructor(options: ServiceAgentOptions) {
    super();
    const connect = createConnector(options);
    this.#kept = new Agent({ connect, connections: bounds.callConnections });
    this.#fresh = new Agent({ connect });
    this.#downloads = new Agent({ connect, connections: bounds.downloadConnections });
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // Thrown here, where it's certain: later, a request that was never sent looks like one that was cut off.
    if (this.#closed) throw new ExchangeError('unreachable', 'The connections to the service were closed.');
    return this.#agentFor(options).dispatch(options, handler);
  }

  #agentFor({ reset, blocking }: Agent.DispatchOptions): Agent {
    if (reset) return this.#fresh;
    return blocking ? this.#downloads : this.#kept;
  }

  get #agents(): Agent[] {
    return [this.#kept, this.#fresh, this.#downloads];
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | void {
    this.#closed = true;
    return settle(
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
    return settle(
      this.#agents.map((agent) => agent.destroy(reason)),
      typeof error === 'function' ? error : callback,
    );
  }
}

function settle(closing: Promise<void>[], callback?: () => void): Promise<void> | void {
  const closed = Promise.all(closing).then(() => undefined);
  if (callback === undefined) return closed;
  closed.then(callback, callback);
}

function createConnector(options: ServiceAgentOptions): buildConnector.connector {
  const policy = createHostPolicy(options.hosts, options.lookup);
  const base = { timeout: options.connectTimeoutMs ?? 10_000, ...(options.ca === undefined ? {} : { ca: options.ca }) };
  const named = buildConnector({ ...base, ...(options.lookup === undefined ? {} : { lookup: options.lookup }) });
  const guarded = buildConnector({ ...base, lookup: policy.lookup });
  return (target, callback) => {
    const to = { protocol: target.protocol, hostname: target.hostname, port: target.port };
    try {
      policy.check(to);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    (policy.lists(to) ? named : guarded)(target, callback);
  };
}
