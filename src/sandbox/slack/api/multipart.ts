/**
 * The data of the first part that has a file name, which is how the SDK uploads. The part's size is unknown until its
 * end, and it can exceed memory.
 */
export async function* filePart(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Buffer> {
  const reader = createReader(body);
  await reader.skipPast(Buffer.from(`--${boundary}\r\n`));
  for (;;) {
    const head = await reader.readUntil(Buffer.from('\r\n\r\n'));
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    if (/filename=/i.test(head.toString())) {
      yield* reader.streamUntil(delimiter);
      return;
    }
    await reader.skipPast(delimiter);
    await reader.skipPast(Buffer.from('\r\n'));
  }
}

function createReader(body: AsyncIterable<Buffer>) {
  const source = body[Symbol.asyncIterator]();
  let buffered = Buffer.alloc(0);

  async function readMore(): Promise<void> {
    const { done, value } = await source.next();
    if (done) throw new Error('the body is incomplete');
    buffered = Buffer.concat([buffered, value]);
  }

  async function* streamUntil(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = buffered.indexOf(delimiter);
      if (at >= 0) {
        yield buffered.subarray(0, at);
        buffered = buffered.subarray(at + delimiter.length);
        return;
      }
      // The delimiter can span two chunks.
      const safeLength = Math.max(0, buffered.length - delimiter.length + 1);
      if (safeLength > 0) yield buffered.subarray(0, safeLength);
      buffered = buffered.subarray(safeLength);
      await readMore();
    }
  }

  async function readUntil(delimiter: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of streamUntil(delimiter)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  return {
    streamUntil,
    readUntil,
    async skipPast(delimiter: Buffer) {
      for await (const _ of streamUntil(delimiter));
    },
  };
}
