/** Reads a byte stream up to delimiters or by count. */
export class ByteReader {
  #buffered: Buffer;
  #source: AsyncIterator<Buffer>;

  #endedEarly: () => Error;

  /** `prefix` is read before the source; `endedEarly` creates the error for a source that ends too soon. */
  constructor(source: AsyncIterable<Buffer>, { prefix, endedEarly }: { prefix: Buffer; endedEarly: () => Error }) {
    this.#buffered = prefix;
    this.#endedEarly = endedEarly;
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    while (this.#buffered.length < count) await this.#readMore();
    return this.#consume(count, 0);
  }

  /** The bytes before the delimiter, which is consumed too; undefined if they exceed the limit. */
  async until(delimiter: Buffer, limit: number): Promise<Buffer | undefined> {
    while (true) {
      const at = this.#buffered.indexOf(delimiter);
      if (at > limit || (at < 0 && this.#buffered.length >= limit + delimiter.length)) return undefined;
      if (at >= 0) return this.#consume(at, delimiter.length);
      await this.#readMore();
    }
  }

  /** The bytes before the delimiter, chunk by chunk and without a limit. */
  async *streamUntil(delimiter: Buffer): AsyncGenerator<Buffer> {
    while (true) {
      const at = this.#buffered.indexOf(delimiter);
      if (at >= 0) {
        const last = this.#consume(at, delimiter.length);
        if (last.length > 0) yield last;
        return;
      }
      // The delimiter can start in the last bytes, so keep these buffered.
      const safe = this.#buffered.length - (delimiter.length - 1);
      if (safe > 0) yield this.#consume(safe, 0);
      await this.#readMore();
    }
  }

  /** All remaining bytes; undefined if they exceed the limit. */
  async rest(limit: number): Promise<Buffer | undefined> {
    while (this.#buffered.length <= limit) {
      const { done, value } = await this.#source.next();
      if (done) return this.#buffered;
      this.#buffered = Buffer.concat([this.#buffered, value]);
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) throw this.#endedEarly();
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value]);
  }

  #consume(count: number, skip: number): Buffer {
    const chunk = this.#buffered.subarray(0, count);
    this.#buffered = this.#buffered.subarray(count + skip);
    return chunk;
  }
}
