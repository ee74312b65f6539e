import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type ScannerServer, startScannerServer } from '../../src/sandbox/scanner.ts';

/** One simulated scanner for a test file. Its behaviour is reset before each test. */
export function startTestScanner(): { readonly server: ScannerServer } {
  let server: ScannerServer | undefined;
  beforeAll(async () => {
    server = await startScannerServer();
  });
  beforeEach(() => server?.reset());
  afterAll(() => server?.close());
  return {
    get server() {
      if (server === undefined) throw new Error('the scanner is started before the tests');
      return server;
    },
  };
}

/** A stream of these chunks. */
export const streamOf = (...chunks: (string | Buffer)[]) =>
  Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );

/** Reads a stream to its end. */
export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A zip archive with these files, which aren't compressed. */
export function zipOf(files: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(text), 10);
    fields.writeUInt32LE(Buffer.byteLength(text), 14);
    fields.writeUInt32LE(Buffer.byteLength(text), 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(Buffer.concat(locals).length, 10);
    locals.push(Buffer.from('PK\x03\x04'), fields, Buffer.from(name + text));
    centrals.push(Buffer.from('PK\x01\x02\x14\0'), fields, rest, Buffer.from(name));
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(centrals).length, 12);
  end.writeUInt32LE(Buffer.concat(locals).length, 16);
  return Buffer.concat([...locals, ...centrals, end]);
}

const contentType = (part: string, type: string) =>
  `<Types><Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;

/** Files as programs write them: Word first writes the list of content types, LibreOffice last. */
export const officeFiles = {
  docx: zipOf({
    '[Content_Types].xml': contentType('/word/document.xml', 'wordprocessingml.document'),
    'word/document.xml': '<w:document/>',
  }),
  docxByLibreOffice: zipOf({ '_rels/.rels': '<Relationships/>', 'word/document.xml': '<w:document/>' }),
  xlsx: zipOf({
    '[Content_Types].xml': contentType('/xl/workbook.xml', 'spreadsheetml.sheet'),
    'xl/workbook.xml': '<workbook/>',
  }),
  odt: zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<office/>' }),
  jar: zipOf({ 'META-INF/': '', 'Main.class': 'code' }),
};
