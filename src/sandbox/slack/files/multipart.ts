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
  let held = Buffer.alloc(0);

  async function more(): Promise<void> {
    const { done, value } = await source.next();
    if (done) throw new Error('the body ends too early');
    held = Buffer.concat([held, value]);
  }

  async function* streamUntil(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = held.indexOf(mark);
      if (at >= 0) {
        yield held.subarray(0, at);
        held = held.subarray(at + mark.length);
        return;
      }
      // The mark can span two chunks.
      const sure = Math.max(0, held.length - mark.length + 1);
      if (sure > 0) yield held.subarray(0, sure);
      held = held.subarray(sure);
      await more();
    }
  }

  async function readUntil(mark: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of streamUntil(mark)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  return {
    streamUntil,
    readUntil,
    async skipPast(mark: Buffer) {
      for await (const _ of streamUntil(mark));
    },
  };
}
