import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { unlessAborted } from './abort.ts';
import { encodeSegment } from './address.ts';
import { readStart, refusal } from './answers.ts';
import { ExchangeError } from './errors.ts';
import type { Limits } from './limits.ts';
import { RelayStream } from './relay-stream.ts';
import { readableText } from './service-text.ts';
import type { CallOptions, Session } from './session.ts';
import { expectStatus } from './status.ts';

/** A file to upload, with its exact size. A retry opens it again. */
export interface FileSource {
  name: string;
  size: number;
  open(signal: AbortSignal): Promise<Readable>;
}

export interface UploadOptions extends CallOptions {
  /** Bytes of the file sent so far. Called for each chunk, so it must be cheap. */
  onProgress?: (bytes: number) => void;
}

/**
 * Streams a file to the service. The request announces its exact length, so the service can always detect an incomplete
 * body. A failure of the source is rethrown unchanged.
 */
export async function upload(session: Session, source: FileSource, options: UploadOptions = {}): Promise<void> {
  const operation = 'upload';
  encodeSegment(source.name, 'file name'); // a name that could not be downloaded or removed must not be uploaded
  if (!Number.isSafeInteger(source.size) || source.size < 0) {
    throw new ExchangeError('invalid-input', 'The size of the file must be known.', { operation });
  }
  let sentBytes = 0;
  const onProgress = (bytes: number) => {
    sentBytes = bytes;
    options.onProgress?.(bytes);
  };
  return session.call(operation, { ...options, isBodySent: () => sentBytes >= source.size }, async (token, signal) => {
    sentBytes = 0;
    const opening = source.open(signal);
    const stream = await unlessAborted(opening, signal).catch((error: unknown) => {
      opening.then((lateStream) => lateStream.destroy()).catch(() => {});
      throw error;
    });
    const frame = frameUpload(source.name);
    const body = new UploadBody(stream, source.size, frame, session.limits, onProgress);
    try {
      const headers = { 'content-type': frame.contentType, 'content-length': String(body.length) };
      const answer = await session.request({ operation, headers, body, signal }, token);
      if (!body.readableEnded) {
        const start = readableText(await readStart(answer, session.statusBounds));
        throw refusal(answer, `answered before it had the whole file: ${start}`, session.redact);
      }
      await expectStatus(session, answer, 'done');
    } catch (error) {
      throw body.failure ?? error;
    } finally {
      body.destroy();
    }
  });
}

/** The multipart body of a file. Counts the file's bytes. */
class UploadBody extends RelayStream {
  readonly length: number;
  /** The reason, if this stream failed. The request then fails with an error that only follows from it. */
  failure: Error | undefined;
  readonly #size: number;
  readonly #tail: Buffer;
  readonly #idle: NodeJS.Timeout;
  readonly #onProgress: UploadOptions['onProgress'];
  #bytes = 0;

  constructor(
    source: Readable,
    size: number,
    frame: MultipartFrame,
    limits: Limits,
    onProgress: UploadOptions['onProgress'],
  ) {
    super(source, 'reader', limits);
    this.length = frame.head.length + size + frame.tail.length;
    this.#size = size;
    this.#tail = frame.tail;
    this.#onProgress = onProgress;
    this.#idle = setTimeout(() => this.#fail(stalled(limits.idleMs)), limits.idleMs);
    this.on('error', () => {}); // `failure` holds the error; without a listener it would end the process
    this.push(frame.head);
  }

  protected override onChunk(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#size) {
      this.#fail(wrongLength(`more than the ${this.#size} bytes`));
      return;
    }
    this.#idle.refresh();
    this.relay(chunk);
    try {
      this.#onProgress?.(this.#bytes);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  protected override onSourceEnd(): void {
    if (this.#bytes !== this.#size) {
      this.onSourceFailure(undefined);
      return;
    }
    this.push(this.#tail);
    this.finish();
    // From here on we wait for the service, and the limit for its answer applies.
    clearTimeout(this.#idle);
  }

  protected override onSourceFailure(error: Error | undefined): void {
    this.#fail(error ?? wrongLength(`${this.#bytes} bytes instead of the ${this.#size}`));
  }

  protected override onTooSlow(): void {
    this.#fail(new ExchangeError('timeout', 'The service accepts the file too slowly.', { operation: 'upload' }));
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    super._destroy(error, callback);
  }

  #fail(error: Error): void {
    if (this.destroyed) return;
    this.failure = error;
    this.destroy(error);
  }
}

function wrongLength(actual: string): ExchangeError {
  return new ExchangeError('cut-short', `The file had ${actual} it was expected to have, so it wasn't uploaded.`, {
    operation: 'upload',
  });
}

function stalled(ms: number): ExchangeError {
  return new ExchangeError('timeout', `No data was transferred for ${Math.round(ms / 1000)} seconds.`, {
    operation: 'upload',
  });
}

/** The bytes before and after a file in the form that upload.cgi expects. */
interface MultipartFrame {
  contentType: string;
  head: Buffer;
  tail: Buffer;
}

function frameUpload(fileName: string): MultipartFrame {
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
