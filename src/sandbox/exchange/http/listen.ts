import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Starts listening; resolves with host and port in the form that URLs use. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return `${host.includes(':') ? `[${host}]` : host}:${actual}`;
}
