import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Finds a port for the bot, which must know its URL before it listens. 0 for any. */
export async function freePort(wanted: number): Promise<number> {
  if (wanted !== 0) return probe(wanted);
  for (let left = 20; ; left -= 1) {
    try {
      // Below the ephemeral range, so that the port is still free when the bot binds it seconds later.
      return await probe(randomInt(15_000, 30_000));
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function probe(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
  return port;
}
