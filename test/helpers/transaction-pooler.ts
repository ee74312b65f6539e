import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestDatabase } from './postgres.ts';

export interface PoolerOptions {
  /** How many connections to Postgres are open from the start. More are opened when all are in use. */
  ready?: number;
  /** Which idle connection is used next: the last returned one, or the one that was idle longest. */
  next?: 'last' | 'longest';
}

interface Servers {
  take(): Promise<Socket>;
  release(server: Socket): void;
}

const authenticationOk = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const terminate = 0x58;

/**
 * Pools by transaction, like PgBouncer: a client gets a connection to Postgres with its first message and loses it when
 * the server is ready for a query outside a transaction. Startup parameters are ignored.
 */
export async function startTransactionPooler(
  { connection }: TestDatabase,
  { ready = 0, next = 'last' }: PoolerOptions = {},
): Promise<pg.ClientConfig> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    return socket;
  };
  const open = async () => track(await openServer(connection));
  const idle = await Promise.all(Array.from({ length: ready }, open));
  const servers: Servers = {
    take: async () => (next === 'last' ? idle.pop() : idle.shift()) ?? open(),
    release: (server) => void idle.push(server),
  };
  const listener = createServer((client) => serve(track(client), servers));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return { host: '127.0.0.1', port: (listener.address() as AddressInfo).port, user: 'anyone', database: 'any' };
}

/** pg signs in to the server; from then on its socket is used directly. */
async function openServer(connection: pg.ClientConfig): Promise<Socket> {
  const client = new pg.Client(connection);
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  return stream.removeAllListeners();
}

function serve(client: Socket, servers: Servers): void {
  let isStarted = false;
  /** Data that the client sent before it had a server connection. */
  let pending: Buffer[] | undefined;
  let server: Socket | undefined;

  const attach = async (first: Buffer) => {
    pending = [first];
    const connection = await servers.take();
    server = connection;
    const answer = messageReader((message) => {
      client.write(message);
      if (!message.equals(readyForQuery)) return;
      connection.off('data', answer);
      server = undefined;
      servers.release(connection);
    });
    connection.on('data', answer).write(Buffer.concat(pending));
    pending = undefined;
  };

  client.on('close', () => server?.destroy());
  client.on('data', (chunk) => {
    if (!isStarted) {
      isStarted = true;
      client.write(Buffer.concat([authenticationOk, readyForQuery]));
    } else if (server !== undefined) server.write(chunk);
    else if (pending !== undefined) pending.push(chunk);
    else if (chunk[0] === terminate) client.end();
    else attach(chunk).catch(() => client.destroy());
  });
}

/** Splits a stream into messages. Each starts with a type byte and a four-byte length that excludes the type byte. */
function messageReader(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      onMessage(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}
