import { Refusal } from '../state/refusal.ts';
import { ByteReader } from './byte-reader.ts';

export interface Part {
  name: string;
  /** Undefined for a plain field. */
  fileName: string | undefined;
  type: string | undefined;
  /** Read it completely before you request the next part. */
  data: AsyncIterable<Buffer>;
}

/**
 * Streams the parts of a multipart/form-data body as HTML forms write it (RFC 7578). Refuses text before the first
 * boundary or after the last, padding, a part without a name, and a body that stops before its final boundary.
 * Written by hand: busboy rejects only the last of these, so it would hide mistakes in the bot's own writer.
 * Don't act on a part's data until the generator has finished, because the rest of the body can still be invalid.
 */
export async function* readMultipart(
  body: AsyncIterable<Buffer>,
  contentType: string | undefined,
): AsyncGenerator<Part, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`);
  // Every boundary but the first follows a line break. The prefix adds one, so that all are parsed the same way.
  const reader = new ByteReader(body, {
    prefix: Buffer.from('\r\n'),
    endedEarly: () => malformed('it ends before its final boundary'),
  });
  try {
    if (!(await reader.take(delimiter.length)).equals(delimiter))
      throw malformed('it does not begin with its boundary');
    while (true) {
      const after = (await reader.take(2)).toString('latin1');
      if (after === '--') break;
      if (after !== '\r\n') throw malformed('a boundary is not followed by a line break or --');
      const head = await reader.until(Buffer.from('\r\n\r\n'), 16 * 1024);
      if (!head) throw malformed("a part's head is too long");
      yield { ...parseHead(head), data: reader.streamUntil(delimiter) };
    }
    const rest = await reader.rest(2);
    if (!rest || (rest.length > 0 && rest.toString('latin1') !== '\r\n')) {
      throw malformed('there is more after the final boundary');
    }
  } finally {
    await reader.close();
  }
}

/** The text of a plain field. */
export async function fieldText(part: Part, limit = 64 * 1024): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of part.data) {
    bytes += chunk.length;
    if (bytes > limit) throw new Refusal(413, `the field "${part.name}" is too long`);
    chunks.push(chunk);
  }
  return utf8(Buffer.concat(chunks));
}

function boundaryOf(contentType: string | undefined): string {
  const match = /^multipart\/form-data\s*;\s*boundary=(?:"([^"]+)"|([^\s";,]+))\s*$/i.exec(contentType ?? '');
  const boundary = match?.[1] ?? match?.[2] ?? '';
  if (!match) throw new Refusal(415, 'the content type must be multipart/form-data with a boundary');
  if (!/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)) throw malformed('its boundary is not allowed');
  return boundary;
}

function parseHead(head: Buffer): Omit<Part, 'data'> {
  const headers = new Map<string, string>();
  for (const line of utf8(head).split('\r\n')) {
    const match = /^([\w-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/.exec(line);
    const name = match?.[1]?.toLowerCase();
    if (!name || match?.[2] === undefined || headers.has(name)) throw malformed("a part's head cannot be read");
    headers.set(name, match[2]);
  }
  if (!/^(binary|8bit|7bit)?$/i.test(headers.get('content-transfer-encoding') ?? '')) {
    throw malformed('a part is encoded');
  }
  return { ...parseDisposition(headers.get('content-disposition')), type: headers.get('content-type') };
}

function parseDisposition(disposition: string | undefined): { name: string; fileName: string | undefined } {
  // A backslash is an ordinary character: forms write a quote as %22 and never escape.
  const match = /^form-data;[ \t]*name="([^"]*)"(?:;[ \t]*filename="([^"]*)")?$/i.exec(disposition ?? '');
  if (!match?.[1]) throw malformed('a part has no name');
  return { name: decodeFormText(match[1]), fileName: match[2] === undefined ? undefined : decodeFormText(match[2]) };
}

/** Forms encode exactly these three characters; any other percent sign is literal. */
function decodeFormText(text: string): string {
  return text.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('it is not UTF-8');
  }
}

function malformed(message: string): Refusal {
  return new Refusal(400, `the multipart body is malformed: ${message}`);
}
