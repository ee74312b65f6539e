import { createHash } from 'node:crypto';
import type { FileRecord } from '../state/model.ts';

/** A file on a person's computer. */
export interface Downloaded {
  name: string;
  type: string;
  size: number;
  sha256: string;
  open(): AsyncIterable<Uint8Array>;
  read(): Promise<Buffer>;
}

/** Reads the whole file, chunk by chunk. */
export async function download(file: FileRecord): Promise<Downloaded> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of file.data.open()) {
    hash.update(piece);
    size += piece.length;
  }
  return {
    name: file.name,
    type: file.mimetype,
    size,
    sha256: hash.digest('hex'),
    open: () => file.data.open(),
    async read() {
      const pieces: Uint8Array[] = [];
      for await (const piece of file.data.open()) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}
