import { Readable } from 'node:stream';
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
