import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileWriter, StoredFile } from '../state/ports.ts';

/** Stores data on disk, never in memory: files can have any size. */
export interface FileStore extends FileWriter {
  /** Deletes everything that was received. */
  close(): Promise<void>;
}

export function createFileStore(directory: string | undefined): FileStore {
  const paths = new Set<string>();
  const pendingWrites = new Set<Promise<unknown>>();
  let folder: Promise<{ path: string; isOwn: boolean }> | undefined;

  async function makeFolder() {
    if (directory === undefined) return { path: await mkdtemp(join(tmpdir(), 'dropline-slack-')), isOwn: true };
    return { path: directory, isOwn: (await mkdir(directory, { recursive: true })) !== undefined };
  }

  async function write(data: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    folder ??= makeFolder();
    // Random names, so that a name from outside never becomes a path.
    const path = join((await folder).path, randomUUID());
    const hash = createHash('sha256');
    let size = 0;
    const file = await open(path, 'wx');
    paths.add(path);
    try {
      for await (const chunk of data) {
        hash.update(chunk);
        size += chunk.length;
        await file.writeFile(chunk);
      }
    } catch (error) {
      await file.close();
      paths.delete(path);
      await rm(path, { force: true });
      throw error;
    }
    await file.close();
    return { size, sha256: hash.digest('hex'), open: () => contentsOf(path) };
  }

  return {
    receive(data) {
      const work = write(data).finally(() => pendingWrites.delete(work));
      pendingWrites.add(work);
      return work;
    },
    async close() {
      await Promise.allSettled(pendingWrites);
      await Promise.all([...paths].map((path) => rm(path, { force: true })));
      const createdFolder = await folder;
      // Delete only a folder created here, and only if it is empty.
      if (createdFolder?.isOwn) await rmdir(createdFolder.path).catch(() => {});
    },
  };
}

/** Open lazily: a stream that is never read would never be closed. */
async function* contentsOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
