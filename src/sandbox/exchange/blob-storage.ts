import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BlobStorage, FileStore } from './state/file-store.ts';

/** Stores files on disk if a folder is given, otherwise in memory. */
export async function openFileStore(directory: string | undefined): Promise<FileStore> {
  return new FileStore(directory === undefined ? memory() : await disk(directory));
}

function memory(): BlobStorage {
  return {
    async write(data) {
      const chunks: Buffer[] = [];
      for await (const chunk of data) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      return {
        async *open() {
          for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
        },
        read: async () => Buffer.from(bytes),
        keep: async () => {},
        remove: async () => {},
      };
    },
    close: async () => {},
  };
}

async function disk(path: string): Promise<BlobStorage> {
  const directory = resolve(path);
  const firstCreated = await mkdir(directory, { recursive: true });
  return {
    async write(data) {
      // Random names, so that a name from outside never becomes a path.
      const finalPath = join(directory, randomUUID());
      let path = `${finalPath}.part`;
      const file = await open(path, 'wx');
      try {
        for await (const chunk of data) await file.writeFile(chunk);
      } catch (error) {
        await file.close();
        await rm(path, { force: true });
        throw error;
      }
      await file.close();
      return {
        // Open lazily: a stream that is never read would never be closed.
        async *open() {
          yield* createReadStream(path);
        },
        read: () => readFile(path),
        async keep() {
          await rename(path, finalPath);
          path = finalPath;
        },
        remove: () => rm(path, { force: true }),
      };
    },
    async close() {
      if (firstCreated === undefined) return;
      // Delete only the folders created here, innermost first, and only if they are empty.
      for (let folder = directory; folder.length >= firstCreated.length; folder = dirname(folder)) {
        await rmdir(folder).catch(() => {});
      }
    },
  };
}
