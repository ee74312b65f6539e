import type { IncomingMessage, ServerResponse } from 'node:http';
import { Pool } from 'undici';
import { listen } from '../../../src/process/health.ts';

export interface Balancer {
  url: string;
  close(): Promise<void>;
}

/**
 * Load balancer with persistent connections to the bot. The simulated Slack opens a new connection for each request,
 * and Node accepts one per turn of the event loop, which would dominate the measurement.
 */
export async function startBalancer(botUrl: string): Promise<Balancer> {
  const pool = new Pool(botUrl, { connections: 64, pipelining: 1 });
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const { host: _, connection: __, ...headers } = request.headers;
    const { method = 'GET', url: path = '/' } = request;
    const answer = await pool.request({ method: method as 'GET' | 'POST', path, headers, body: request });
    response.writeHead(answer.statusCode, answer.headers);
    answer.body.pipe(response);
  };
  const server = await listen(
    (request, response) => void forward(request, response).catch(() => response.destroy()),
    0,
    '127.0.0.1',
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    async close() {
      await server.close();
      await pool.destroy();
    },
  };
}
