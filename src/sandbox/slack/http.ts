import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bodyOf } from '../node-http.ts';

/** An answer as data, so that a fault can withhold it. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | { size: number; open(): AsyncIterable<Uint8Array> };
}

export function textAnswer(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: Buffer.from(text) };
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

export function htmlAnswer(status: number, html: string): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(html) };
}

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

export async function send(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  const size = Buffer.isBuffer(body) ? body.length : body.size;
  response.writeHead(status, { ...headers, 'content-length': size });
  if (Buffer.isBuffer(body)) response.end(body);
  // A client that disconnects early is not an error.
  else await pipeline(Readable.from(body.open()), response).catch(() => response.destroy());
}

/** Sends the head and half of the body, then resets the connection. */
export async function sendHalf(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  const size = Buffer.isBuffer(body) ? body.length : body.size;
  response.writeHead(status, { ...headers, 'content-length': size });
  let remainingBytes = Math.floor(size / 2);
  for await (const piece of Buffer.isBuffer(body) ? [body] : body.open()) {
    const part = piece.subarray(0, remainingBytes);
    remainingBytes -= part.length;
    await new Promise((resolve) => response.write(part, resolve));
    if (remainingBytes === 0) break;
  }
  response.socket?.resetAndDestroy();
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyOf(request)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * Returns a function that closes every connection of a server: hung requests and web sockets would keep it open
 * forever.
 */
export function trackSockets(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async () => {
    const closed = [...sockets].map((socket) => {
      socket.destroy();
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await Promise.all(closed);
  };
}
