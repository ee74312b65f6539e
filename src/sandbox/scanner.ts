import { createServer, type Socket } from 'node:net';

export const testMalware = 'DROPLINE-TEST-MALWARE-8f2c1d';
export const testSignature = 'Dropline.Test.Malware';

/** The simulated scanner reports only these strings as malware. EICAR's is split: scanners would report this file. */
const signatures: [text: string, name: string][] = [
  [testMalware, testSignature],
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD'.concat('-ANTIVIRUS-TEST-FILE!$H+H*'), 'Eicar-Test-Signature'],
];
const longest = 100;

export interface ScannerBehaviour {
  /**
   * - `closes`: closes each connection at once
   * - `dies`: closes the connection after the first bytes of a file
   * - `stalls`: stops reading after the first bytes of a file
   * - `never answers`: reads everything
   * - `early`: answers that the file is clean after its first bytes
   */
  mode: 'works' | 'closes' | 'dies' | 'stalls' | 'never answers' | 'early';
  /** Whether encrypted zip files are reported, as with clamd's `AlertEncrypted`. */
  alertsEncrypted: boolean;
  /** Sent instead of the verdict. */
  answer: string | undefined;
  /** Each verdict is sent only after this resolves. */
  beforeVerdict: (() => Promise<void>) | undefined;
  /** Whether the next file is reported as malware, whatever it contains. */
  reportsNext: boolean;
  /** Larger files are refused, as with clamd's `StreamMaxLength`. */
  maxBytes: number;
}

export interface ScannerServer {
  port: number;
  behaviour: ScannerBehaviour;
  /** The number of bytes of each scanned file. */
  scanned: number[];
  /** Restores the initial behaviour and clears `scanned`. */
  reset(): void;
  close(): Promise<void>;
}

const initial: ScannerBehaviour = {
  mode: 'works',
  alertsEncrypted: true,
  answer: undefined,
  beforeVerdict: undefined,
  reportsNext: false,
  maxBytes: 25 * 1024 * 1024,
};

/** Implements the part of clamd's protocol that Dropline uses: VERSION and INSTREAM, terminated by NUL. */
export async function startScannerServer(port = 0): Promise<ScannerServer> {
  const behaviour = { ...initial };
  const scanned: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    if (behaviour.mode === 'closes') socket.destroy();
    else serve(socket, behaviour, scanned);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    behaviour,
    scanned,
    reset() {
      Object.assign(behaviour, initial);
      scanned.length = 0;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function serve(socket: Socket, behaviour: ScannerBehaviour, scanned: number[]): void {
  let command = '';
  let pending: Buffer = Buffer.alloc(0);
  const scan = createSearch();
  const answer = (text: string) => void socket.end(`${text}\0`);

  async function finish(): Promise<void> {
    scanned.push(scan.bytes());
    if (behaviour.mode === 'never answers') return;
    await behaviour.beforeVerdict?.();
    const found = behaviour.reportsNext ? testSignature : scan.found();
    behaviour.reportsNext = false;
    if (behaviour.answer !== undefined) socket.end(behaviour.answer);
    else if (found !== undefined) answer(`stream: ${found} FOUND`);
    else
      answer(scan.isEncrypted() && behaviour.alertsEncrypted ? 'stream: Heuristics.Encrypted.Zip FOUND' : 'stream: OK');
  }

  /** Reads one chunk. Returns false if the chunk is incomplete or nothing more is read. */
  function readChunk(): boolean {
    if (pending.length < 4) return false;
    const length = pending.readUInt32BE();
    if (length > 0 && scan.bytes() + length > behaviour.maxBytes) {
      answer('INSTREAM size limit exceeded. ERROR');
      return false;
    }
    if (pending.length < 4 + length) return false;
    scan.add(pending.subarray(4, 4 + length));
    pending = pending.subarray(4 + length);
    if (length === 0) void finish();
    else if (behaviour.mode === 'dies') socket.destroy();
    else if (behaviour.mode === 'stalls') socket.pause();
    else if (behaviour.mode === 'early') answer('stream: OK');
    else return true;
    command = 'done';
    return false;
  }

  socket.on('data', (data: Buffer) => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data]);
    if (command === '') {
      const end = pending.indexOf(0);
      if (end < 0) return;
      command = pending.subarray(0, end).toString('latin1');
      pending = pending.subarray(end + 1);
    }
    if (command === 'zVERSION') answer('ClamAV 1.0.0-simulated/1/Mon Jan  5 09:00:00 2026');
    else if (command === 'zINSTREAM') while (readChunk());
    else if (command !== 'done') answer('UNKNOWN COMMAND');
  });
}

/** Finds the test strings, even if they span several chunks, and zip files whose first entry is encrypted. */
function createSearch() {
  let bytes = 0;
  let found: string | undefined;
  let start: Buffer = Buffer.alloc(0);
  let tail: Buffer = Buffer.alloc(0);
  return {
    add(chunk: Buffer) {
      bytes += chunk.length;
      const joined = Buffer.concat([tail, chunk]);
      if (start.length < 8) start = Buffer.concat([start, chunk]).subarray(0, 8);
      found ??= signatures.find(([text]) => joined.includes(text))?.[1];
      tail = Buffer.from(joined.subarray(-longest));
    },
    bytes: () => bytes,
    found: () => found,
    isEncrypted: () =>
      start.length === 8 && start.toString('latin1', 0, 4) === 'PK\x03\x04' && (start[6] ?? 0) % 2 === 1,
  };
}
