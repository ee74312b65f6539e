import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Finds a free port for the bot, which must know its URL before it listens. 0 means any port. */
export async function freePort(requested: number): Promise<number> {
  if (requested !== 0) return probe(requested);
  for (let attemptsLeft = 20; ; attemptsLeft -= 1) {
    try {
      // Below the ephemeral range, so that the port is still free when the bot binds it seconds later.
      return await probe(randomInt(15_000, 30_000));
    } catch (error) {
      if (attemptsLeft === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
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
