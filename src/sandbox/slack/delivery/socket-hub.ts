import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { newSecret } from '../state/ids.ts';
import type { Json } from '../state/model.ts';
import type { Sockets } from '../state/ports.ts';

/** Socket Mode: delivers everything over connections that the bot opened. */
export interface SocketHub extends Sockets {
  /** Accepts a connection with an unused ticket. Refuses any other with 404. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, appId: string): void;
  close(): void;
}

export function createSocketHub(): SocketHub {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const pending = new Map<string, (payload: Json | undefined) => void>();

  function receive(socket: WebSocket, text: string): void {
    try {
      const answer = JSON.parse(text) as { envelope_id?: string; payload?: Json };
      pending.get(answer.envelope_id ?? '')?.(answer.payload);
    } catch {
      socket.terminate();
    }
  }

  function greet(socket: WebSocket, appId: string): void {
    socket.on('message', (data) => receive(socket, String(data)));
    // Without a listener, a malformed frame would end the process; ws closes the connection.
    socket.on('error', () => {});
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: server.clients.size,
        debug_info: { host: 'applink-sandbox', build_number: 1, approximate_connection_time: 18_060 },
        connection_info: { app_id: appId },
      }),
    );
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
      const socket = [...server.clients].find(({ readyState }) => readyState === WebSocket.OPEN);
      if (!socket) throw new Error('no connection is open');
      const envelopeId = randomUUID();
      const answered = new Promise<Json | undefined>((resolve, reject) => {
        pending.set(envelopeId, resolve);
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
    close() {
      for (const socket of server.clients) socket.close(1000);
    },
  };
}
