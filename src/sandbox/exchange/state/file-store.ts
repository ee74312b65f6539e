import { createHash } from 'node:crypto';

/** Stores blobs, in memory or on disk. */
export interface BlobStorage {
  write(data: AsyncIterable<Buffer>): Promise<Blob>;
  close(): Promise<void>;
}

/** The complete data of one stream. On disk it has a temporary name until `keep` is called. */
export interface Blob {
  open(): AsyncIterable<Buffer>;
  read(): Promise<Buffer>;
  keep(): Promise<void>;
  remove(): Promise<void>;
}

/** Received data. Call `keep` to store it or `discard` to delete it. */
export interface Staged {
  bytes: number;
  sha256: string;
  open(): AsyncIterable<Buffer>;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/** File data by digest, reference-counted: `keep` and `retain` add a use, `release` removes one. */
export class FileStore {
  #storage: BlobStorage;
  #blobs = new Map<string, { blob: Blob; uses: number }>();
  #staged = new Set<Blob>();
  #pending = new Set<Promise<unknown>>();

  constructor(storage: BlobStorage) {
    this.#storage = storage;
  }

  /** Receives a stream. If the stream fails, nothing is stored. */
  stage(data: AsyncIterable<Uint8Array>): Promise<Staged> {
    return this.#track(this.#stage(data));
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
    return tracked;
  }

  async #stage(data: AsyncIterable<Uint8Array>): Promise<Staged> {
    const hash = createHash('sha256');
    let bytes = 0;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of data) {
        hash.update(chunk);
        bytes += chunk.length;
        yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      }
    }
    const blob = await this.#storage.write(counted());
    this.#staged.add(blob);
    const sha256 = hash.digest('hex');
    const discard = async () => {
      if (this.#staged.delete(blob)) await blob.remove();
    };
    const keep = async () => {
      await blob.keep();
      if (this.#blobs.has(sha256)) {
        this.retain(sha256);
        await discard();
      } else {
        this.#staged.delete(blob);
        this.#blobs.set(sha256, { blob, uses: 1 });
      }
    };
    return { bytes, sha256, open: () => blob.open(), keep: () => this.#track(keep()), discard };
  }

  retain(sha256: string): void {
    const entry = this.#blobs.get(sha256);
    if (entry) entry.uses++;
  }

  async release(sha256: string): Promise<void> {
    const entry = this.#blobs.get(sha256);
    if (!entry || --entry.uses > 0) return;
    this.#blobs.delete(sha256);
    await entry.blob.remove();
  }

  has(sha256: string): boolean {
    return this.#blobs.has(sha256);
  }

  open(sha256: string): AsyncIterable<Buffer> {
    return this.#blob(sha256).open();
  }

  async read(sha256: string): Promise<Buffer> {
    return this.#blob(sha256).read();
  }

  /** Waits for pending writes, then deletes everything. Call it when no more data can arrive. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#pending);
    const blobs = [...this.#staged, ...[...this.#blobs.values()].map((entry) => entry.blob)];
    this.#staged.clear();
    this.#blobs.clear();
    await Promise.all(blobs.map((blob) => blob.remove()));
    await this.#storage.close();
  }

  #blob(sha256: string): Blob {
    const entry = this.#blobs.get(sha256);
    if (!entry) throw new Error(`no file with the digest ${sha256}`);
    return entry.blob;
  }
}
