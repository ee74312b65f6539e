import { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import { Agent, FormData, request } from 'undici';
import { onTestFinished } from 'vitest';
import {
  type Account,
  type ExchangeServer,
  type ExchangeServerOptions,
  startExchangeServer,
} from '../../../src/sandbox/exchange/index.ts';

export const user = 'api@example.com';
export const apiKey = 'kéy:with:colons';
export const ada = { email: 'ada@example.org', number: '46700000001', language: 'en', groups: ['a'], nick: 'Ada' };
export const bo = { email: 'bo@example.org', number: '46700000002', language: 'sv', groups: [], nick: 'Bo' };

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  text: string;
}

type Body = string | Buffer | FormData;

/** A server with one account, and a client with its key. `startExchange` closes both after the test. */
export class Exchange {
  readonly server: ExchangeServer;
  readonly clock: { now: number };
  readonly account: Account;
  readonly agent: Agent;
  token = '';

  constructor(server: ExchangeServer, clock: { now: number }, agent: Agent) {
    this.server = server;
    this.clock = clock;
    this.agent = agent;
    this.account = server.addAccount({ user, apiKey });
  }

  /** Sends a request with credentials and token, unless `headers` replaces them. */
  async send(method: string, path: string, headers: Record<string, string | undefined> = {}, body?: Body) {
    return this.raw(`${this.server.url}/${user}${path}`, method, { ...this.headers(), ...headers }, body);
  }

  async raw(url: string, method = 'GET', headers: Record<string, string | undefined> = {}, body?: Body) {
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const response = await request(url, {
      method: method as 'GET',
      headers: sent as Record<string, string>,
      dispatcher: this.agent,
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, body: bytes, text: bytes.toString() };
  }

  headers(): Record<string, string | undefined> {
    return { authorization: basic(user, apiKey), 'csrf-token': this.token === '' ? undefined : this.token };
  }

  async login(): Promise<string> {
    const page = await this.send('GET', '/', { 'csrf-token': undefined });
    this.token = tokenIn(page.text);
    return this.token;
  }

  get(operation: string, query = ''): Promise<Answer> {
    return this.send('GET', `/cgi/${operation}.cgi${query}`);
  }

  post(operation: string, value: unknown): Promise<Answer> {
    return this.send('POST', `/cgi/${operation}.cgi`, { 'content-type': 'application/json' }, JSON.stringify(value));
  }

  upload(name: string, data: string | Uint8Array, type = 'text/plain'): Promise<Answer> {
    const form = new FormData();
    form.set('do', 'upload');
    form.set('file', new File([data], name, { type }));
    return this.send('POST', '/cgi/upload.cgi', {}, form);
  }

  /** Uploads a raw multipart body. */
  uploadBody(body: Buffer, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.send(
      'POST',
      '/cgi/upload.cgi',
      { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
      body,
    );
  }

  /** Does everything that a dispatch needs, with Ada as the receiver. */
  async prepare(name = 'report.txt', data = 'the report'): Promise<void> {
    await this.post('contacts_add', [ada, bo]);
    await this.post('receivers_set', [ada]);
    await this.get('get_files');
    await this.upload(name, data);
  }
}

export async function startExchange(options: ExchangeServerOptions = {}): Promise<Exchange> {
  const clock = { now: Date.UTC(2026, 2, 1) };
  const server = await startExchangeServer({ clock: () => clock.now, ...options });
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  onTestFinished(async () => {
    await agent.destroy();
    await server.close();
  });
  return new Exchange(server, clock, agent);
}

/** Like `startExchange`, with a token. */
export async function loggedIn(options: ExchangeServerOptions = {}): Promise<Exchange> {
  const exchange = await startExchange(options);
  await exchange.login();
  return exchange;
}

export function basic(name: string, key: string): string {
  return `Basic ${Buffer.from(`${name}:${key}`).toString('base64')}`;
}

export function tokenIn(html: string): string {
  return /<input type="hidden" name="csrftoken" value="([^"]+)">/.exec(html)?.[1] ?? '';
}

export const boundary = 'xyz-boundary';

/** A multipart body with `do` and one file. */
export function multipart(data: string | Buffer, { fileName = 'a.txt', head = '' } = {}): Buffer {
  const fileHead = head || `Content-Disposition: form-data; name="file"; filename="${fileName}"`;
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="do"\r\n\r\nupload\r\n--${boundary}\r\n`),
    Buffer.from(`${fileHead}\r\n\r\n`),
    Buffer.from(data),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** Sends raw bytes and ends the stream. Resolves with everything received, and the error code if any. */
export function rawRequest(url: string, bytes: Buffer): Promise<{ text: string; error: string | undefined }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    let error: string | undefined;
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', (failure: NodeJS.ErrnoException) => {
      error = failure.code;
    });
    socket.on('close', () => resolve({ text, error }));
  });
}
