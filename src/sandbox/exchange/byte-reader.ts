/** Reads a byte stream up to delimiters or by count. */
export class ByteReader {
  #ahead: Buffer;
  #source: AsyncIterator<Buffer>;

  #endedEarly: () => Error;

  /** `lead` is read before the source's first byte; `endedEarly` creates the error for a source that ends too soon. */
  constructor(source: AsyncIterable<Buffer>, { lead, endedEarly }: { lead: Buffer; endedEarly: () => Error }) {
    this.#ahead = lead;
    this.#endedEarly = endedEarly;
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    while (this.#ahead.length < count) await this.#more();
    return this.#cut(count, 0);
  }

  /** The bytes before the mark, which is consumed too; undefined if they exceed the limit. */
  async until(mark: Buffer, limit: number): Promise<Buffer | undefined> {
    while (true) {
      const at = this.#ahead.indexOf(mark);
      if (at > limit || (at < 0 && this.#ahead.length >= limit + mark.length)) return undefined;
      if (at >= 0) return this.#cut(at, mark.length);
      await this.#more();
    }
  }

  /** The bytes before the mark, chunk by chunk and without a limit. */
  async *streamUntil(mark: Buffer): AsyncGenerator<Buffer> {
    while (true) {
      const at = this.#ahead.indexOf(mark);
      if (at >= 0) {
        const last = this.#cut(at, mark.length);
        if (last.length > 0) yield last;
        return;
      }
      // The mark can start in the last bytes, so hold these back.
      const safe = this.#ahead.length - (mark.length - 1);
      if (safe > 0) yield this.#cut(safe, 0);
      await this.#more();
    }
  }

  /** All remaining bytes; undefined if they exceed the limit. */
  async rest(limit: number): Promise<Buffer | undefined> {
    while (this.#ahead.length <= limit) {
      const { done, value } = await this.#source.next();
      if (done) return this.#ahead;
      this.#ahead = Buffer.concat([this.#ahead, value]);
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) throw this.#endedEarly();
    this.#ahead = this.#ahead.length === 0 ? value : Buffer.concat([this.#ahead, value]);
  }

  #cut(count: number, skip: number): Buffer {
    const piece = this.#ahead.subarray(0, count);
    this.#ahead = this.#ahead.subarray(count + skip);
    return piece;
  }
}
