import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

/** The TCP connections of a server. With https, a request's socket is a TLS socket on top of one of them. */
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

  /** Numbered from 1 in the order they were opened; 0 if the connection is already closed. */
  numberOf(request: IncomingMessage): number {
    return this.#find(request)?.[1].number ?? 0;
  }

  /**
   * Resets the TCP connection only. With https, the TLS socket on top closes by itself; destroying it too would leave
   * it registered in node's server.
   */
  reset(request: IncomingMessage): void {
    const socket = this.#find(request)?.[0];
    if (!socket) return;
    // Like resetAndDestroy(), but without ending the stream first: that would send a FIN before the RST, and a client
    // that reads between the two would see a regular end.
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
