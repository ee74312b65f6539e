import { Readable } from 'node:stream';
import type { Scan } from './clamd.ts';
import type { Verdict } from './verdict.ts';

export interface ScannedStreamOptions {
  /** How many of the last bytes the reader gets only after the verdict. */
  heldBytes?: number;
  /** The error with which the stream fails after this verdict; undefined if the file can pass. */
  errorFor(verdict: Verdict): Error | undefined;
}

/**
 * Passes the chunks of a source to its reader and to a scan, at the pace of the slower one. A slow scan can't stop the
 * reader for long: the scan times out, and its verdict is `not-scanned`. Uses events, like the relay to the service,
 * because an async iterator would be a fifth slower.
 */
export class ScannedStream extends Readable {
  readonly #source: Readable;
  readonly #scan: Scan;
  readonly #heldBytes: number;
  #held: Buffer[] = [];
  #heldLength = 0;
  #isReaderReady = true;
  #isScanReady = true;
  #isSourceEnded = false;
  #isPassed = false;

  constructor(source: Readable, scan: Scan, { heldBytes = 0, errorFor }: ScannedStreamOptions) {
    super({ highWaterMark: 128 * 1024 });
    this.#source = source;
    this.#scan = scan;
    this.#heldBytes = heldBytes;
    scan.onReady(() => {
      this.#isScanReady = true;
      this.#resume();
    });
    void scan.verdict.then((verdict) => {
      if (this.destroyed) return;
      const error = errorFor(verdict);
      this.#isPassed = error === undefined;
      if (this.#isPassed) this.#release();
      else if (!this.readableEnded) this.destroy(error);
    });
    this.on('error', () => {}); // the reader gets it too; without a listener it would end the process
    source.on('data', (chunk: Buffer) => this.#onChunk(chunk));
    source.on('end', () => this.#onSourceEnd());
    source.on('error', (error) => this.destroy(error));
    // A stream that is destroyed without an error emits neither `end` nor `error`.
    source.on('close', () => source.readableEnded || this.destroy(closedError()));
    // A stream that failed before it was passed here emits no further events.
    if (source.closed) this.destroy(source.errored ?? closedError());
  }

  #onChunk(chunk: Buffer): void {
    this.#isScanReady = this.#scan.write(chunk);
    if (this.#heldBytes === 0) this.#isReaderReady = this.push(chunk);
    else this.#hold(chunk);
    if (!this.#isReaderReady || !this.#isScanReady) this.#source.pause();
  }

  /** Holds back the last bytes and passes on those before them. */
  #hold(chunk: Buffer): void {
    this.#held.push(chunk);
    this.#heldLength += chunk.length;
    for (let [first] = this.#held; first !== undefined && this.#heldLength > this.#heldBytes; [first] = this.#held) {
      const passed = first.subarray(0, this.#heldLength - this.#heldBytes);
      if (passed.length === first.length) this.#held.shift();
      else this.#held[0] = first.subarray(passed.length);
      this.#heldLength -= passed.length;
      this.#isReaderReady = this.push(passed);
    }
  }

  #onSourceEnd(): void {
    this.#isSourceEnded = true;
    this.#scan.end();
    if (this.#heldBytes === 0) this.push(null);
    else if (this.#isPassed) this.#release();
  }

  /** Passes on the held bytes once the source has ended and the verdict allows it. */
  #release(): void {
    if (!this.#isSourceEnded || this.#heldBytes === 0 || this.destroyed) return;
    for (const chunk of this.#held) this.push(chunk);
    this.#held = [];
    this.push(null);
  }

  override _read(): void {
    this.#isReaderReady = true;
    this.#resume();
  }

  #resume(): void {
    if (this.#isReaderReady && this.#isScanReady) this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#held = [];
    this.#source.destroy();
    // Without held bytes, the stream can close before the verdict. The scan then continues.
    if (!this.#isSourceEnded || error !== null) this.#scan.cancel();
    callback(error);
  }
}

const closedError = () => new Error('the source was closed');
