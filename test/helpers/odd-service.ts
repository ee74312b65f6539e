import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import type { Exchange, ExchangeOptions } from '../../src/exchange/index.ts';
import { setUp } from './exchange.ts';
import { serve } from './serve.ts';

const page = '<input type="hidden" name="csrftoken" value="T0k3nT0k3n">';

/** Creates a client of a service that issues tokens. `handle` answers everything else. */
export async function withAnswers(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<ExchangeOptions> = {},
): Promise<Exchange> {
  const server = createServer((request, response) => {
    if (/cgi|files/.test(request.url ?? '')) handle(request, response);
    else response.end(page);
  });
  return startWithClient(server, options);
}

/** Like `withAnswers`, with raw TCP: the reply is sent as is, then the connection is closed or, with `reset`, reset. */
export async function withRawAnswers(
  reply: (request: string) => string,
  { reset = false, ...options }: Partial<ExchangeOptions> & { reset?: boolean } = {},
): Promise<Exchange> {
  const server = createTcpServer((socket) => {
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      request += chunk;
      if (!request.includes('\r\n\r\n')) return;
      const complete = request;
      request = '';
      if (/^GET \/[^/ ]+\/ HTTP/.test(complete))
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${page.length}\r\n\r\n${page}`);
      else socket.write(reply(complete), () => setTimeout(() => (reset ? socket.resetAndDestroy() : socket.end()), 20));
    });
  });
  return startWithClient(server, options);
}

async function startWithClient(server: Server, options: Partial<ExchangeOptions>): Promise<Exchange> {
  const baseUrl = await serve(server);
  const { client } = await setUp();
  return client({ baseUrl, ...options });
}
