import http from 'node:http';
import { serve } from '../../helpers/serve.ts';
import type { TestWorkspace } from './helper.ts';

export interface Received {
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A plain HTTP server as the bot. The test answers each request, by its number from 1. */
export async function startPlainBot(
  { slack }: TestWorkspace,
  answer: (number: number, response: http.ServerResponse) => void,
) {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(received.length, response);
  });
  slack.deliverTo(await serve(server));
  return received;
}

export const ok = (_: number, response: http.ServerResponse) => void response.end();

export const retries = ({ slack }: TestWorkspace) =>
  slack.deliveries.map(({ retry, outcome }) => `${retry} ${outcome}`);
