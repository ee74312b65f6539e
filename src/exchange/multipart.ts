import { randomUUID } from 'node:crypto';

/** The bytes before and after a file in the form that upload.cgi expects. */
export interface MultipartFrame {
  contentType: string;
  head: Buffer;
  tail: Buffer;
}

export function frameUpload(fileName: string): MultipartFrame {
  // 122 random bits, so a file can't contain its own boundary.
  const boundary = `dropline-${randomUUID()}`;
  const field = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(
      `${field('name="do"')}\r\nupload\r\n${field(`name="file"; filename="${escapeName(fileName)}"`)}Content-Type: application/octet-stream\r\n\r\n`,
    ),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** Escapes like HTML forms; otherwise a name could end its header and inject other headers. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
