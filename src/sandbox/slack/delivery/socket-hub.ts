import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { Behaviour } from '../state/behaviour.ts';
import { newSecret } from '../state/ids.ts';
import type { Json } from '../state/model.ts';
import type { Sockets } from '../state/ports.ts';

/** Why Slack closes a connection. */
export type DisconnectReason = 'warning' | 'refresh_requested';

/** Socket Mode: delivers everything over connections that the bot opened. */
export interface SocketHub extends Sockets {
  /** Accepts a connection with an unused ticket. Refuses any other with 404. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, appId: string): void;
  count(): number;
  /** Asks the oldest connections to be renewed, and closes them some time later. */
  refresh(reason: DisconnectReason, howMany: number): void;
  close(): void;
}

export function createSocketHub(behaviour: Behaviour): SocketHub {
  const server = new WebSocketServer({ noServer: true, autoPong: false });
  const tickets = new Set<string>();
  const pending = new Map<string, { socket: WebSocket; resolve: (payload: Json | undefined) => void }>();
  const open = () => [...server.clients].filter(({ readyState }) => readyState === WebSocket.OPEN);
  let deliveries = 0;

  function receive(socket: WebSocket, text: string): void {
    try {
      const answer = JSON.parse(text) as { envelope_id?: string; payload?: Json };
      const envelope = pending.get(answer.envelope_id ?? '');
      // Over another connection, an answer doesn't count: Slack doesn't document that it would.
      if (envelope?.socket === socket) envelope.resolve(answer.payload);
    } catch {
      socket.terminate();
    }
  }

  function keepAlive(socket: WebSocket): void {
    const pings = setInterval(() => socket.ping(), behaviour.socketPingMs).unref();
    socket.on('close', () => clearInterval(pings));
    socket.on('ping', (data) => {
      const { socketPongMs } = behaviour;
      if (socketPongMs === 0) socket.pong(data);
      else if (Number.isFinite(socketPongMs)) setTimeout(() => socket.pong(data), socketPongMs).unref();
    });
  }

  function greet(socket: WebSocket, appId: string): void {
    socket.on('message', (data) => receive(socket, String(data)));
    // Without a listener, a malformed frame would end the process; ws closes the connection.
    socket.on('error', () => {});
    keepAlive(socket);
    const hello = JSON.stringify({
      type: 'hello',
      num_connections: server.clients.size,
      debug_info: { host: 'applink-sandbox', build_number: 1, approximate_connection_time: 18_060 },
      connection_info: { app_id: appId },
    });
    const { socketHelloMs } = behaviour;
    if (socketHelloMs === 0) socket.send(hello);
    else if (Number.isFinite(socketHelloMs)) setTimeout(() => socket.send(hello), socketHelloMs).unref();
  }

  return {
    issueTicket() {
      const ticket = newSecret();
      tickets.add(ticket);
      return ticket;
    },
    upgrade(request, stream, head, appId) {
      const ticket = new URL(request.url ?? '', 'http://socket').searchParams.get('ticket') ?? '';
      if (tickets.delete(ticket)) server.handleUpgrade(request, stream, head, (socket) => greet(socket, appId));
      else stream.end('HTTP/1.1 404 Not Found\r\n\r\n');
    },
    async deliver({ type, payload, acceptsResponse, retry, retryReason }, signal) {
      signal.throwIfAborted();
      // Slack sends each envelope over any one of the connections. Here they take turns, so a retry uses another one.
      const sockets = open();
      const socket = sockets[deliveries++ % sockets.length];
      if (!socket) throw new Error('no connection is open');
      const envelopeId = randomUUID();
      const answered = new Promise<Json | undefined>((resolve, reject) => {
        pending.set(envelopeId, { socket, resolve });
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      socket.send(
        JSON.stringify({
          envelope_id: envelopeId,
          type,
          payload,
          accepts_response_payload: acceptsResponse,
          ...(type === 'events_api' && { retry_attempt: retry, retry_reason: retryReason ?? '' }),
        }),
      );
      return answered.finally(() => pending.delete(envelopeId));
    },
    count: () => open().length,
    refresh(reason, howMany) {
      for (const socket of open().slice(0, howMany)) {
        socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-sandbox' } }));
        setTimeout(() => socket.close(1000), behaviour.socketRefreshMs).unref();
      }
    },
    close() {
      for (const socket of server.clients) socket.close(1000);
    },
  };
}
