import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Cut {
  /** Towards the service, or back from it. */
  direction: 'up' | 'down';
  /** How many bytes of a connection pass in that direction. */
  after: number;
  /** Ends with a reset instead of a regular close. */
  reset: boolean;
}

export interface CuttingProxy {
  url: string;
  /** Sets how connections are cut; undefined lets them pass. */
  cut(next: Cut | undefined): void;
  /** The number of open sockets: two for each client. */
  connections(): number;
}

/** Starts a proxy between a client and a service that cuts connections as set by `cut`. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let current: Cut | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    const end = () => {
      for (const socket of [client, upstream]) current?.reset ? socket.resetAndDestroy() : socket.destroySoon();
    };
    for (const [direction, from, to] of [
      ['up', client, upstream],
      ['down', upstream, client],
    ] as const) {
      let passed = 0;
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (chunk) => {
        const left = current?.direction === direction ? current.after - passed : Number.POSITIVE_INFINITY;
        passed += chunk.length;
        to.write(chunk.subarray(0, Math.max(0, left)));
        if (chunk.length >= left) end();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(next) {
      current = next;
    },
    connections: () => sockets.size,
  };
}
