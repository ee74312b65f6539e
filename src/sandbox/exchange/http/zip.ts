import { crc32 } from 'node:zlib';
import type { StreamedBody } from './answer.ts';

export interface ZipEntry {
  name: string;
  bytes: number;
  open(): AsyncIterable<Buffer>;
}

/** Larger archives would need the format's 64-bit extension. */
export const maxZipBytes = 0xffff_0000;

/** The files as an uncompressed zip archive. Its size is known before the files are read. */
export function zipOf(files: readonly ZipEntry[]): StreamedBody {
  const entries = files.map((file, index) => ({ ...file, name: Buffer.from(entryName(files, index)) }));
  const bytes = entries.reduce((sum, entry) => sum + 30 + 16 + 46 + 2 * entry.name.length + entry.bytes, 22);
  async function* open() {
    let offset = 0;
    const directory: Buffer[] = [];
    for (const { name, bytes: size, open: openFile } of entries) {
      const local = header(0x04034b50, 30, [20, flags, 0, 0, 0]);
      local.writeUInt16LE(name.length, 26);
      yield Buffer.concat([local, name]);
      let checksum = 0;
      for await (const chunk of openFile()) {
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
      const sizes = Buffer.alloc(12);
      [checksum, size, size].forEach((value, index) => {
        sizes.writeUInt32LE(value, index * 4);
      });
      yield Buffer.concat([header(0x08074b50, 4, []), sizes]);
      const central = header(0x02014b50, 46, [20, 20, flags, 0, 0, 0]);
      sizes.copy(central, 16);
      central.writeUInt16LE(name.length, 28);
      central.writeUInt32LE(offset, 42);
      directory.push(central, name);
      offset += local.length + name.length + size + 16;
    }
    const end = header(0x06054b50, 22, [0, 0, entries.length, entries.length]);
    const listed = Buffer.concat(directory);
    end.writeUInt32LE(listed.length, 12);
    end.writeUInt32LE(offset, 16);
    yield Buffer.concat([listed, end]);
  }
  return { bytes, open };
}

/** Names are UTF-8, and checksum and sizes follow the data. */
const flags = 0x0808;

/** A record of this length that starts with its signature and these 16-bit numbers. */
function header(signature: number, length: number, numbers: readonly number[]): Buffer {
  const record = Buffer.alloc(length);
  record.writeUInt32LE(signature, 0);
  numbers.forEach((value, index) => {
    record.writeUInt16LE(value, 4 + index * 2);
  });
  return record;
}

/** The file name without slashes. A number in front distinguishes it from an earlier file of the same name. */
function entryName(files: readonly ZipEntry[], index: number): string {
  const flat = (name: string) => name.replace(/[/\\\0]/g, '_');
  const name = flat(files[index]?.name ?? '');
  return files.slice(0, index).some((other) => flat(other.name) === name) ? `${index + 1}-${name}` : name;
}
