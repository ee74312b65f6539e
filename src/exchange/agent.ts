import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { bounds } from '../lib/bounds.ts';
import { ExchangeError } from './errors.ts';
import { createHostPolicy } from './host-policy.ts';
import { type Operation, specOf } from './operations.ts';

export interface ServiceAgentOptions {
  /** Patterns of the allowed hosts. Without any, every public https host is allowed. */
  hosts?: readonly string[];
  connectTimeoutMs?: number;
  /** Replaces the certificate authorities that Node trusts, for services with a private one. */
  ca?: string;
  lookup?: LookupFunction;
}

export type ServiceAgent = ReturnType<typeof createServiceAgent>;

/**
 * The connections to services. Every connection passes the host policy. Redirects are not followed. The caller that
 * creates the agent closes it.
 */
export function createServiceAgent(options: ServiceAgentOptions = {}) {
  const connect = createConnector(options);
  const calls = new Agent({ connect, connections: bounds.callConnections });
  // Each request closes its connection, so each of them gets a new one. On a reused connection that the service is just
  // closing, a dispatch would fail with an unknown outcome.
  const singleUse = new Agent({ connect });
  // As slow as their readers. Separate, so that they never block calls.
  const downloads = new Agent({ connect, connections: bounds.downloadConnections });
  const agents = [calls, singleUse, downloads];
  let isClosed = false;
  return {
    calls,
    agentFor(operation: Operation): Agent {
      // Here it's certain that nothing was sent. Later, the error would look like a connection that broke off.
      if (isClosed) throw new ExchangeError('unreachable', 'The connections to the service were closed.');
      if (specOf(operation).commits) return singleUse;
      return operation === 'download' ? downloads : calls;
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(agents.map((agent) => agent.close()));
    },
    async destroy(): Promise<void> {
      isClosed = true;
      await Promise.all(agents.map((agent) => agent.destroy()));
    },
  };
}

function createConnector(options: ServiceAgentOptions): buildConnector.connector {
  const policy = createHostPolicy(options.hosts, options.lookup);
  const base = { timeout: options.connectTimeoutMs ?? 10_000, ca: options.ca };
  const unrestricted = buildConnector({ ...base, lookup: options.lookup });
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
