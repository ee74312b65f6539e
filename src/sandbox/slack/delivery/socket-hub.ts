import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { newSecret } from '../state/ids.ts';
import type { Json } from '../state/model.ts';
import type { Sockets } from '../state/ports.ts';
import { acceptWebSocket, type WebSocket } from './web-socket.ts';

/** Socket Mode: delivers everything over connections that the bot opened. */
export interface SocketHub extends Sockets {
  /** Accepts a connection, or refuses it. */
  upgrade(request: IncomingMessage, stream: Duplex, appId: string): void;
  connections(): number;
  close(): void;
}

export function createSocketHub(): SocketHub {
  const tickets = new Set<string>();
  const sockets = new Set<WebSocket>();
  const pending = new Map<string, (payload: Json | undefined) => void>();

  function receive(text: string): void {
    const answer = JSON.parse(text) as { envelope_id?: string; payload?: Json };
    pending.get(answer.envelope_id ?? '')?.(answer.payload);
  }

  return {
    issueTicket() {
      const ticket = newSecret();
      tickets.add(ticket);
      return ticket;
    },
    upgrade(request, stream, appId) {
      const ticket = new URL(request.url ?? '', 'http://socket').searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket)) {
        stream.end('HTTP/1.1 404 Not Found\r\n\r\n');
        return;
      }
      const socket = acceptWebSocket(request, stream);
      sockets.add(socket);
      socket.onText(receive);
      socket.onClose(() => sockets.delete(socket));
      socket.send(
        JSON.stringify({
          type: 'hello',
          num_connections: sockets.size,
          debug_info: { host: 'applink-sandbox', build_number: 1, approximate_connection_time: 18_060 },
          connection_info: { app_id: appId },
        }),
      );
    },
    async deliver({ type, payload, acceptsResponse, retry, retryReason }, signal) {
      signal.throwIfAborted();
      const [socket] = sockets;
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
    connections: () => sockets.size,
    close() {
      for (const socket of sockets) socket.close();
    },
  };
}
