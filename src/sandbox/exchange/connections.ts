import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

/** The TCP connections of a server. With https they are not the sockets that its requests have, but below these. */
export class Connections {
  #open = new Map<Socket, { peer: string; number: number }>();
  #counted = 0;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, { peer: peerOf(socket), number: ++this.#counted });
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  count(): number {
    return this.#open.size;
  }

  /** Counted from 1, in the order in which they were opened; 0 if it is closed already. */
  numberOf(request: IncomingMessage): number {
    return this.#find(request)?.[1].number ?? 0;
  }

  /** The socket above it, with https, closes by itself; destroyed as well, it would leave a trace in node's server. */
  reset(request: IncomingMessage): void {
    const socket = this.#find(request)?.[0];
    if (!socket) return;
    // This is resetAndDestroy() without its first step, which is to end the stream: that would send a FIN before the
    // RST, and a client that reads in between would see a clean end.
    Object.assign(socket, { resetAndClosing: true });
    socket.destroy();
  }

  async destroyAll(): Promise<void> {
    const closed = [...this.#open.keys()].map((socket) => {
      socket.destroy();
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await Promise.all(closed);
  }

  #find(request: IncomingMessage): [Socket, { peer: string; number: number }] | undefined {
    const peer = peerOf(request.socket);
    return [...this.#open].find(([, connection]) => connection.peer === peer);
  }
}

function peerOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
