import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { decodeFrame, encodeFrame, type Frame, opcodes } from './frames.ts';

export interface WebSocket {
  send(text: string): void;
  onText(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

/** Answers the handshake of RFC 6455 and exchanges text. Pings are answered; malformed data closes the connection. */
export function acceptWebSocket(request: IncomingMessage, stream: Duplex): WebSocket {
  const key = request.headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const textListeners: ((text: string) => void)[] = [];
  let buffered: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];

  function handleFrame({ final, opcode, payload }: Frame): void {
    if (opcode === opcodes.ping) stream.write(encodeFrame(opcodes.pong, payload));
    else if (opcode === opcodes.close) stream.end(encodeFrame(opcodes.close, payload));
    else if (opcode === opcodes.text || opcode === opcodes.continuation) {
      parts.push(payload);
      if (!final) return;
      const text = Buffer.concat(parts).toString();
      parts = [];
      for (const listener of textListeners) listener(text);
    }
  }

  stream.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    try {
      for (let next = decodeFrame(buffered); next; next = decodeFrame(buffered)) {
        buffered = next.rest;
        handleFrame(next.frame);
      }
    } catch {
      stream.destroy();
    }
  });
  // Without a listener, a client that disconnects abruptly would end the process.
  stream.on('error', () => stream.destroy());

  return {
    send: (text) => void stream.write(encodeFrame(opcodes.text, Buffer.from(text))),
    onText: (listener) => void textListeners.push(listener),
    onClose: (listener) => void stream.once('close', listener),
    // 1000: normal closure.
    close: () => void stream.end(encodeFrame(opcodes.close, Buffer.from([0x03, 0xe8]))),
  };
}
