import { Readable } from 'node:stream';
import { encodeSegment } from './address.ts';
import { changedFormat, chunksOf, refusal } from './answers.ts';
import { ExchangeError } from './errors.ts';
import type { CallOptions, Session } from './session.ts';
import { sayingOf, statusWord } from './status.ts';
import type { TokenInHand } from './tokens.ts';
import type { Answer } from './wire.ts';
import { type Redact, wordsOf } from './words.ts';

/** One file of an inbox item, as the history names it. */
export interface InboxFile {
  url: string;
  name: string;
}

export interface Download {
  /** Undefined where the service sends it in chunks and announces no length. */
  size: number | undefined;
  type: string | undefined;
  headers: Answer['headers'];
  /** Fails with `cut-short` unless the last byte has come. Must be read to its end or destroyed. */
  stream: Readable;
}

/**
 * Opens a file of the inbox. That the item is there and the token good is for the caller to prove by reading the history
 * first: where the service refuses with a page instead of a status, a file cannot always be told from a refusal.
 */
export async function download(session: Session, file: InboxFile, options: CallOptions = {}): Promise<Download> {
  const operation = 'download';
  const path = `${encodeSegment(file.url, 'inbox address')}/files/${encodeSegment(file.name, 'file name')}`;
  return session.call(operation, options, async (token, signal) => {
    const answer = await session.ask({ operation, path, signal }, token);
    try {
      const size = expectFraming(answer);
      const stream = await expectFile(answer, file.name, size, token, session.redact);
      return { size, type: headerOf(answer, 'content-type'), headers: answer.headers, stream };
    } catch (error) {
      answer.body.destroy();
      throw error;
    }
  });
}

/** Without a length or chunks, the end of the connection is the end of the file, whatever the reason it ended. */
function expectFraming(answer: Answer): number | undefined {
  if (answer.status !== 200) {
    const text = `The service sends something else than the whole file (HTTP ${answer.status}).`;
    throw new ExchangeError('changed-format', text, { operation: answer.operation, status: answer.status });
  }
  const length = headerOf(answer, 'content-length');
  if (length !== undefined && /^\d+$/.test(length)) return Number(length);
  if (/\bchunked\b/i.test(headerOf(answer, 'transfer-encoding') ?? '')) return undefined;
  const text = 'The service sends this file without its length, so nothing would tell whether it is complete.';
  throw new ExchangeError('changed-format', text, { operation: answer.operation, status: answer.status });
}

/** Tells a file from a refusal that comes with a status of success, as far as that can be told. */
async function expectFile(
  answer: Answer,
  name: string,
  size: number | undefined,
  token: TokenInHand,
  redact: Redact,
): Promise<Readable> {
  const type = headerOf(answer, 'content-type') ?? '';
  const chunks = chunksOf(answer);
  const isPage = /\bhtml\b/i.test(type) && !/\.x?html?$/i.test(name);
  const mayBeStatus = /\bjson\b/i.test(type) && !/json$/i.test(name);
  if (!isPage && !mayBeStatus && (size !== 0 || token.fresh)) return toStream(chunks, [], answer);
  const begun: Buffer[] = [];
  let bytes = 0;
  while (bytes < longestRefusal) {
    const { done, value } = await chunks.next();
    if (done) break;
    begun.push(value);
    bytes += value.length;
  }
  const text = Buffer.concat(begun).toString();
  if (mayBeStatus && statusWord(text) === undefined) return toStream(chunks, begun, answer);
  if (mayBeStatus) throw refusal(answer, sayingOf(text), redact);
  // An empty file is a file, but an empty answer may also be what an outworn token gets: a fresh one will tell.
  if (!isPage) throw changedFormat(answer.operation, 'the file', '', redact);
  throw refusal(answer, wordsOf(text), redact);
}

const longestRefusal = 64 * 1024;

function toStream(chunks: AsyncGenerator<Buffer>, begun: Buffer[], answer: Answer): Readable {
  async function* all() {
    yield* begun;
    yield* chunks;
  }
  const stream = Readable.from(all(), { objectMode: false, highWaterMark: 256 * 1024 });
  stream.once('close', () => answer.body.destroy());
  return stream;
}

function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
