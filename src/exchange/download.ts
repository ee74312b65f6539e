import type { Readable } from 'node:stream';
import { peek } from '../lib/peek.ts';
import { encodeSegment } from './address.ts';
import { changedFormat, readStart, refusal } from './answers.ts';
import { ExchangeError } from './errors.ts';
import type { Limits } from './limits.ts';
import { RelayStream } from './relay-stream.ts';
import { readableText } from './service-text.ts';
import type { CallOptions, Session } from './session.ts';
import { statusWord, unexpected } from './status.ts';
import type { CallToken } from './tokens.ts';
import type { Answer } from './transport.ts';
import { transportError } from './transport-errors.ts';

/** One file of an inbox item, with the URL and the name from the history. */
export interface InboxFile {
  url: string;
  name: string;
}

export interface Download {
  /** Undefined for a chunked answer, which has no length. */
  size: number | undefined;
  /**
   * Fails with `cut-short`, `timeout` or the signal's reason unless the last byte arrives. Must be read to its end or
   * destroyed.
   */
  stream: Readable;
}

/**
 * Opens a file of the inbox. Callers read the history first, to make sure that the item exists and the token works. A
 * service that refuses with a page instead of a status can't always be distinguished from one that sends a file.
 */
export async function download(session: Session, file: InboxFile, options: CallOptions = {}): Promise<Download> {
  const operation = 'download';
  const path = `${encodeSegment(file.url, 'inbox URL')}/files/${encodeSegment(file.name, 'file name')}`;
  return session.call(operation, options, async (token, signal) => {
    const answer = await session.request({ operation, path, signal }, token);
    try {
      const size = expectFraming(answer);
      const stream = await expectFile(session, answer, { name: file.name, size, token });
      return { size, stream };
    } catch (error) {
      answer.body.destroy();
      throw error;
    }
  });
}

/**
 * Returns the length, or undefined for a chunked body. Throws if the answer isn't the whole file. Also throws if it
 * has no length and isn't chunked: then a lost connection would look like the end of the file.
 */
function expectFraming(answer: Answer): number | undefined {
  if (answer.status !== 200) {
    const text = `The service didn't send the whole file (HTTP ${answer.status}).`;
    throw new ExchangeError('changed-format', text, { operation: answer.operation, status: answer.status });
  }
  const coding = headerOf(answer, 'transfer-encoding');
  const length = headerOf(answer, 'content-length');
  // A chunked body marks its end. With any other coding, alone or combined, the body ends when the connection closes.
  if (coding !== undefined && /^\s*chunked\s*$/i.test(coding)) return undefined;
  if (coding === undefined && length !== undefined && /^\d+$/.test(length)) return Number(length);
  const text = "The service sends this file without its length, so Dropline couldn't tell whether it's complete.";
  throw new ExchangeError('changed-format', text, { operation: answer.operation, status: answer.status });
}

/** Returns the file's data. Throws if the answer is recognised as a refusal, although its status says success. */
async function expectFile(
  session: Session,
  answer: Answer,
  { name, size, token }: { name: string; size: number | undefined; token: CallToken },
): Promise<Readable> {
  const type = headerOf(answer, 'content-type') ?? '';
  if (/\bhtml\b/i.test(type) && !/\.x?html?$/i.test(name)) {
    throw refusal(answer, readableText(await readStart(answer, session.statusBounds)), session.redact);
  }
  // An empty answer is an empty file or a refusal of an expired token. A retry with a fresh token decides.
  if (size === 0 && !token.fresh) throw changedFormat(answer.operation, 'the file', '', session.redact);
  const stream = new DownloadStream(answer, session.limits);
  if (!/\bjson\b/i.test(type) || /json$/i.test(name)) return stream;
  const { start, stream: wholeStream } = await peek(stream, session.limits.statusBytes);
  const text = start.toString();
  if (statusWord(text) === undefined) return wholeStream;
  stream.destroy();
  throw unexpected(session, answer, 'the file', text);
}

/** The body of an answer. Fails with an ExchangeError, or with the signal's reason after an abort. */
class DownloadStream extends RelayStream {
  readonly #answer: Answer;

  constructor(answer: Answer, limits: Limits) {
    super(answer.body, 'source', limits);
    this.#answer = answer;
  }

  protected override onChunk(chunk: Buffer): void {
    this.relay(chunk);
  }

  protected override onSourceEnd(): void {
    this.finish();
  }

  protected override onTooSlow(): void {
    const { operation } = this.#answer;
    this.destroy(new ExchangeError('timeout', 'The service sends the file too slowly.', { operation }));
  }

  protected override onSourceFailure(error: Error | undefined): void {
    const { signal, operation } = this.#answer;
    this.destroy(signal.aborted ? signal.reason : transportError(error, operation, true));
  }
}

function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
