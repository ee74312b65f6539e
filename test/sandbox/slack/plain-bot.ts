import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Stage } from './helper.ts';

export interface Received {
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A bot by hand, which answers each request as it is told. */
export async function startPlainBot({ slack }: Stage, answer: (index: number, response: http.ServerResponse) => void) {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(received.length, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  slack.deliverTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return received;
}

export const ok = (_: number, response: http.ServerResponse) => void response.end();
