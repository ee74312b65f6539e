/** The part of RFC 6455 that Socket Mode needs. */
export const opcodes = { continuation: 0x0, text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const;

export interface Frame {
  final: boolean;
  opcode: number;
  payload: Buffer;
}

/** A server's frames aren't masked, and none needs to be split. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const head = [0x80 | opcode];
  if (payload.length < 126) head.push(payload.length);
  else if (payload.length < 65_536) head.push(126, payload.length >> 8, payload.length & 0xff);
  else {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(payload.length));
    head.push(127, ...length);
  }
  return Buffer.concat([Buffer.from(head), payload]);
}

/** The first complete frame and the remaining bytes; undefined if it is incomplete. */
export function decodeFrame(bytes: Buffer): { frame: Frame; rest: Buffer } | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  if ((second & 0x80) === 0) throw new Error("a client's frame must be masked");
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskAt = 2 + lengthBytes;
  if (bytes.length < maskAt + 4) return undefined;
  const length =
    lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  const dataAt = maskAt + 4;
  if (bytes.length < dataAt + length) return undefined;
  const payload = Buffer.from(bytes.subarray(dataAt, dataAt + length));
  for (let index = 0; index < payload.length; index++) {
    payload[index] = (payload[index] ?? 0) ^ (bytes[maskAt + (index % 4)] ?? 0);
  }
  return {
    frame: { final: (first & 0x80) !== 0, opcode: first & 0x0f, payload },
    rest: bytes.subarray(dataAt + length),
  };
}
