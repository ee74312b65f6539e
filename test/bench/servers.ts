/**
 * Both ends of a relay in one process: a source of bytes and a service that accepts them. Also serves histories and
 * answers scans like clamd. All do as little as possible, so that the relay dominates the measurement. Prints its port,
 * then serves until it is killed.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { historyOf } from './history-body.ts';

const block = Buffer.alloc(1024 * 1024, 'x');
const histories = new Map<number, Buffer>();

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  let head = '';
  let sink: ((chunk: Buffer) => boolean) | undefined;
  const finish = () => {
    sink = undefined;
    respond(socket, '{"status":"done"}');
  };
  socket.on('data', (chunk) => {
    if (sink !== undefined) {
      if (sink(chunk)) finish();
      return;
    }
    head += chunk.toString('latin1');
    if (head.startsWith(scanCommand)) {
      const scan = createScanSink();
      sink = (data) => {
        if (scan(data)) socket.end('stream: OK\0');
        return false;
      };
      sink(Buffer.from(head.slice(scanCommand.length), 'latin1'));
      return;
    }
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [requestLine = '', ...lines] = head.slice(0, end).split('\r\n');
    const rest = Buffer.from(head.slice(end + 4), 'latin1');
    head = '';
    const headers = lines.join('\n').toLowerCase();
    if (requestLine.startsWith('GET')) return serve(socket, requestLine.split(' ')[1] ?? '');
    if (headers.includes('expect: 100-continue')) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    sink = createSink(headers);
    if (rest.length > 0 && sink(rest)) finish();
  });
});

const scanCommand = 'zINSTREAM\0';

/** Reads a file as clamd does. The returned function returns true once the file is complete. */
function createScanSink(): (chunk: Buffer) => boolean {
  let left = 0;
  let length = Buffer.alloc(0);
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const read = Math.min(left, chunk.length - at);
        left -= read;
        at += read;
        continue;
      }
      const missing = 4 - length.length;
      length = Buffer.concat([length, chunk.subarray(at, at + missing)]);
      at += missing;
      if (length.length < 4) return false;
      left = length.readUInt32BE();
      length = Buffer.alloc(0);
      if (left === 0) return true;
    }
    return false;
  };
}

/** Counts the bytes of a request's body. The returned function returns true once the body is complete. */
function createSink(headers: string): (chunk: Buffer) => boolean {
  const length = /content-length: (\d+)/.exec(headers)?.[1];
  if (length !== undefined) {
    let left = Number(length);
    return (chunk) => {
      left -= chunk.length;
      return left === 0;
    };
  }
  let last = '';
  return (chunk) => {
    last = (last + chunk.subarray(-5).toString('latin1')).slice(-5);
    return last === '0\r\n\r\n';
  };
}

function serve(socket: Socket, path: string): void {
  const bytes = /\/bytes\/(\d+)|\/files\/(\d+)/.exec(path);
  const [, entries, delayMs] = /^\/(\d+)(?:-(\d+))?\/.*get_history\.cgi/.exec(path) ?? [];
  if (bytes !== null) sendBytes(socket, Number(bytes[1] ?? bytes[2]));
  else if (delayMs !== undefined) setTimeout(sendHistory, Number(delayMs), socket, Number(entries));
  else if (entries !== undefined) sendHistory(socket, Number(entries));
  else respond(socket, '<input type="hidden" name="csrftoken" value="bench">');
}

function sendBytes(socket: Socket, size: number): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ${size}\r\n\r\n`);
  let left = size;
  const write = () => {
    while (left > 0) {
      const part = left >= block.length ? block : block.subarray(0, left);
      left -= part.length;
      if (!socket.write(part)) {
        socket.once('drain', write);
        return;
      }
    }
  };
  write();
}

function sendHistory(socket: Socket, entries: number): void {
  const body = histories.get(entries) ?? Buffer.from(JSON.stringify(historyOf(entries)));
  histories.set(entries, body);
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
  socket.write(body);
}

function respond(socket: Socket, body: string): void {
  const size = body.length.toString(16);
  socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`);
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
