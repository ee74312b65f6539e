import { Readable } from 'node:stream';
import type { Limits } from './limits.ts';
import { Pace } from './pace.ts';

/**
 * Passes the chunks of a source on as they come, at the pace of whoever reads, and releases the source when that one
 * leaves. By events: an async iterator on either side costs a fifth of the speed.
 */
export abstract class RelayStream extends Readable {
  readonly #source: Readable;
  readonly #service: 'source' | 'reader';
  readonly #pace: Pace;

  /** @param service at which end the service is */
  constructor(source: Readable, service: 'source' | 'reader', limits: Limits) {
    super({ highWaterMark: 128 * 1024 });
    this.#source = source;
    this.#service = service;
    this.#pace = new Pace(limits, () => this.tooSlow());
    this.#wait('source');
    source.on('data', (chunk: Buffer) => this.received(chunk));
    source.on('end', () => this.sourceEnded());
    source.on('error', (error) => this.sourceFailed(error));
    // A stream that is destroyed without an error neither ends nor fails.
    source.on('close', () => source.readableEnded || this.sourceFailed(undefined));
  }

  /** Takes a chunk of the source; to be passed on with `pass`. */
  protected abstract received(chunk: Buffer): void;
  /** The source has come to its end. */
  protected abstract sourceEnded(): void;
  /** The source will not come to its end; without an error it was closed. */
  protected abstract sourceFailed(error: Error | undefined): void;
  /** The service moves less than it must. */
  protected abstract tooSlow(): void;

  protected pass(chunk: Buffer): void {
    this.#pace.moved(chunk.length);
    if (this.push(chunk)) return;
    this.#source.pause();
    this.#wait('reader');
  }

  /** Nothing more will come: what is left is up to the reader. */
  protected passed(): void {
    this.push(null);
    this.#wait('reader');
  }

  override _read(): void {
    this.#source.resume();
    this.#wait('source');
  }

  #wait(end: 'source' | 'reader'): void {
    if (end === this.#service) this.#pace.servicesTurn();
    else this.#pace.ourTurn();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#pace.end();
    this.#source.destroy();
    callback(error);
  }
}
