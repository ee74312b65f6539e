import { createConnection, type Socket } from 'node:net';
import { bounds } from '../lib/bounds.ts';
import { cancelled, notScanned, tooLarge, type Verdict } from './verdict.ts';

/** Where clamd listens. */
export type ClamdAddress = { host: string; port: number } | { path: string };

export interface ClamdOptions {
  address: ClamdAddress;
  /** A larger file gets the verdict “not scanned”. Must not exceed clamd's `StreamMaxLength`. */
  maxBytes: number;
  limits?: Partial<ScanLimits>;
}

/** Times in milliseconds, and the maximum size of an answer in bytes. */
export type ScanLimits = { [name in keyof typeof bounds.scan]: number };

/** One file on its way through clamd. Never throws: each failure becomes the verdict `not-scanned`. */
export interface Scan {
  /** Resolves after `end`; earlier if clamd has already answered, or if the scan failed or was cancelled. */
  verdict: Promise<Verdict>;
  /** False if the caller should wait for `onReady`. */
  write(chunk: Buffer): boolean;
  /** Runs the callback when clamd can take more bytes, or when the scan has ended. */
  onReady(callback: () => void): void;
  /** All bytes were written. */
  end(): void;
  /** Stops the scan if it has no verdict yet. */
  cancel(): void;
}

/** Connects to clamd for one file (INSTREAM). */
export function startScan({ address, maxBytes, limits }: ClamdOptions): Scan {
  const { connectMs, stallMs, answerMs, answerBytes } = { ...bounds.scan, ...limits };
  const socket = createConnection(address);
  const { promise: verdict, resolve } = withResolvers<Verdict>();
  let state: 'streaming' | 'ended' | 'decided' = 'streaming';
  let bytes = 0;
  let answer = '';
  let onReady: () => void = () => {};

  const decide = (decided: Verdict) => {
    if (state === 'decided') return;
    state = 'decided';
    clearTimeout(timer);
    socket.destroy();
    resolve(decided);
    onReady();
  };
  const waitFor = (ms: number, reason: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => decide(notScanned(reason)), ms);
  };
  let timer = setTimeout(() => decide(notScanned("The scanner didn't accept a connection.")), connectMs);

  /** Sets the timeout for the current wait: for clamd's answer, or for clamd to read the buffered data. */
  const setTimer = () => {
    if (state === 'ended') waitFor(answerMs, "The scanner didn't finish in time.");
    else if (socket.writableNeedDrain) waitFor(stallMs, "The scanner didn't accept the file in time.");
    else clearTimeout(timer);
  };
  socket.setNoDelay(true);
  socket.on('connect', setTimer);
  socket.on('drain', () => {
    if (state === 'streaming') clearTimeout(timer);
    onReady();
  });
  socket.on('data', (data: Buffer) => {
    answer += data.toString('latin1');
    const end = answer.indexOf('\0');
    // Before the end of the file, an answer can't mean that it is clean, because clamd hasn't read all of it.
    if (end >= 0) decide(readAnswer(answer.slice(0, end), state === 'ended'));
    else if (answer.length > answerBytes) decide(notScanned(unknownAnswer));
  });
  socket.on('error', () => decide(notScanned(connectionFailed)));
  socket.on('close', () => decide(notScanned(connectionFailed)));
  socket.write('zINSTREAM\0');

  return {
    verdict,
    write(chunk) {
      if (state !== 'streaming' || chunk.length === 0) return true; // a length of zero would end the file for clamd
      bytes += chunk.length;
      if (bytes > maxBytes) {
        decide(tooLarge);
        return true;
      }
      socket.cork();
      socket.write(lengthOf(chunk));
      const isReady = socket.write(chunk);
      socket.uncork();
      if (!isReady && !socket.connecting) setTimer();
      return isReady;
    },
    onReady: (callback) => {
      onReady = callback;
    },
    end() {
      if (state !== 'streaming') return;
      state = 'ended';
      socket.write(lengthOf(''));
      if (!socket.connecting) setTimer();
    },
    cancel: () => decide(cancelled),
  };
}

const connectionFailed = 'The connection to the scanner failed.';
const unknownAnswer = 'The scanner sent an unknown answer.';

function lengthOf({ length }: { length: number }): Buffer {
  const buffer = Buffer.allocUnsafe(4);
  buffer.writeUInt32BE(length);
  return buffer;
}

function readAnswer(text: string, isWhole: boolean): Verdict {
  const [, signature = ''] = /^stream: (.+) FOUND$/.exec(text) ?? [];
  // With `AlertExceedsMax` and `AlertEncrypted`, clamd reports a file that it couldn't scan as a finding of these names.
  if (signature.startsWith('Heuristics.Encrypted.'))
    return notScanned("The file is encrypted, so the scanner can't read it.");
  if (signature.startsWith('Heuristics.Limits.Exceeded')) return notScanned('The file exceeds a limit of the scanner.');
  if (signature !== '') return { state: 'infected', signature: readable(signature) };
  if (text === 'stream: OK' && isWhole) return { state: 'clean' };
  if (/^INSTREAM size limit exceeded/.test(text)) return tooLarge;
  return notScanned(unknownAnswer);
}

/** Shortens a scanner's text and replaces unprintable characters. */
const readable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);

/** The version of clamd and of its signatures. Rejects if clamd doesn't answer. */
export async function readVersion({ address, limits }: ClamdOptions): Promise<string> {
  const { connectMs, answerBytes } = { ...bounds.scan, ...limits };
  const socket: Socket = createConnection(address);
  const { promise, resolve, reject } = withResolvers<string>();
  const timer = setTimeout(() => reject(new Error("the scanner didn't answer in time")), connectMs);
  let answer = '';
  socket.on('data', (data: Buffer) => {
    answer += data.toString('latin1');
    const end = answer.indexOf('\0');
    if (end >= 0) resolve(answer.slice(0, end));
    else if (answer.length > answerBytes) reject(new Error('the scanner sent an unknown answer'));
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the scanner closed the connection')));
  socket.write('zVERSION\0');
  try {
    const version = await promise;
    if (!version.startsWith('ClamAV ')) throw new Error('the scanner sent an unknown answer');
    return readable(version);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** Like `Promise.withResolvers`, which only newer versions of Node have. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
