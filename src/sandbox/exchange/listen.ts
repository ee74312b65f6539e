import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens, and gives back host and port as they stand in an address. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return `${host.includes(':') ? `[${host}]` : host}:${actual}`;
}
