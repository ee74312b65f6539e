import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Exchange, ExchangeOptions } from '../../src/exchange/index.ts';
import { setUp } from './exchange.ts';

const page = '<input type="hidden" name="csrftoken" value="T0k3nT0k3n">';

/** A client of a service that gives tokens, and answers everything else as the test says. */
export async function withAnswers(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<ExchangeOptions> = {},
): Promise<Exchange> {
  const server = createServer((request, response) => {
    if (/cgi|files/.test(request.url ?? '')) handle(request, response);
    else response.end(page);
  });
  return clientOf(server, () => server.closeAllConnections(), options);
}

/** The same below HTTP: what is written goes out as it is, and then the connection ends. */
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
      const asked = request;
      request = '';
      if (/^GET \/[^/ ]+\/ HTTP/.test(asked))
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${page.length}\r\n\r\n${page}`);
      else socket.write(reply(asked), () => setTimeout(() => (reset ? socket.resetAndDestroy() : socket.end()), 20));
    });
  });
  return clientOf(server, () => {}, options);
}

async function clientOf(
  server: Server | TcpServer,
  end: () => void,
  options: Partial<ExchangeOptions>,
): Promise<Exchange> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    end();
    server.close();
  });
  const { client } = await setUp();
  return client({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options });
}
