import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Lets a server listen until the test ends. Returns its address. */
export async function serve(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    if (server instanceof HttpServer) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
