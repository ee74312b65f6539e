import { Readable } from 'node:stream';
import type { Limits } from './limits.ts';
import { Pace } from './pace.ts';

/**
 * Relays the chunks of a source at the pace of its reader, and destroys the source when the reader stops. Uses events,
 * because an async iterator on either side costs a fifth of the speed.
 */
export abstract class RelayStream extends Readable {
  readonly #source: Readable;
  readonly #service: 'source' | 'reader';
  readonly #pace: Pace;

  /** @param service whether the service is the source (a download) or the reader (an upload) */
  constructor(source: Readable, service: 'source' | 'reader', limits: Limits) {
    super({ highWaterMark: 128 * 1024 });
    this.#source = source;
    this.#service = service;
    this.#pace = new Pace(limits, () => this.onTooSlow());
    this.#waitFor('source');
    source.on('data', (chunk: Buffer) => this.onChunk(chunk));
    source.on('end', () => this.onSourceEnd());
    source.on('error', (error) => this.onSourceFailure(error));
    // A stream that is destroyed without an error emits neither `end` nor `error`.
    source.on('close', () => source.readableEnded || this.onSourceFailure(undefined));
    // A stream that was closed before it was passed here emits no further events.
    if (source.closed) process.nextTick(() => this.onSourceFailure(source.errored ?? undefined));
  }

  /** Handles a chunk of the source. Calls `relay` to pass it on. */
  protected abstract onChunk(chunk: Buffer): void;
  /** The source has ended. */
  protected abstract onSourceEnd(): void;
  /** The source failed or, without an error, was closed before its end. */
  protected abstract onSourceFailure(error: Error | undefined): void;
  /** The service is below the minimum speed. */
  protected abstract onTooSlow(): void;

  protected relay(chunk: Buffer): void {
    this.#pace.addBytes(chunk.length);
    if (this.push(chunk)) return;
    this.#source.pause();
    this.#waitFor('reader');
  }

  /** Ends the stream. From here on, only the reader can delay it. */
  protected finish(): void {
    this.push(null);
    this.#waitFor('reader');
  }

  override _read(): void {
    this.#source.resume();
    this.#waitFor('source');
  }

  /** Time counts against the service only while the stream waits for its side. */
  #waitFor(side: 'source' | 'reader'): void {
    if (side === this.#service) this.#pace.waitForService();
    else this.#pace.stopWaiting();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#pace.stop();
    this.#source.destroy();
    callback(error);
  }
}
