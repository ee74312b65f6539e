import { Refusal } from '../state/refusal.ts';

export async function drain(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body);
}

const jsonLimit = 16 * 1024 * 1024;

export async function readJson(body: AsyncIterable<Buffer>, contentType: string | undefined): Promise<unknown> {
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? '')) {
    throw new Refusal(415, 'the content type must be application/json');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > jsonLimit) throw new Refusal(413, 'the body is larger than 16 MiB');
    chunks.push(chunk);
  }
  try {
    // Keep a byte order mark, so that JSON.parse refuses it.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new Refusal(400, 'the body is not well-formed JSON');
  }
}
