import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** The bot must know its own address before it listens, so its port is looked for by whoever starts it. 0 for any. */
export async function freePort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
