import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts listening; resolves with host and port in the form that URLs use. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return `${host.includes(':') ? `[${host}]` : host}:${actual}`;
}

/** False for requests from other sites (`sec-fetch-site`, `origin`) and for DNS rebinding (`host`). */
export function isLocalRequest({ headers, socket }: IncomingMessage): boolean {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers;
  const [loopback, port = '80'] = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i.exec(host) ?? [];
  const isOwnHost = loopback !== undefined && Number(port) === socket.localPort;
  const isOwnOrigin = origin === undefined || origin === `http://${host}`;
  return isOwnHost && isOwnOrigin && (site === 'none' || site === 'same-origin');
}

/** The client disconnected before its request was complete, so no answer can be sent. */
export class Aborted extends Error {}

/** Streams a request's body; throws `Aborted` if the body is incomplete. */
export async function* bodyOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // A request can be answered before its body is read, so leaving the loop must not destroy the connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk;
  } catch {
    throw new Aborted();
  }
  if (!request.complete) throw new Aborted();
}
