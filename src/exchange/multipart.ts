import { randomUUID } from 'node:crypto';

/** What goes before and after the bytes of a file in the form that upload.cgi takes. */
export interface MultipartFrame {
  contentType: string;
  head: Buffer;
  tail: Buffer;
}

export function frameUpload(fileName: string): MultipartFrame {
  // 122 random bits: nobody can put a file's end into its own bytes.
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

/** As HTML forms do it; without this a name could end its header and write others. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
