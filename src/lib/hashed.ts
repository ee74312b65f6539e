import { pipeline, type Readable, Transform } from 'node:stream';
import { z } from 'zod';
import { createHasher } from './hasher.ts';

/** What identifies the bytes of a file: their SHA-256 in hexadecimal, and how many they are. */
export const digest = z.object({ sha256: z.string(), size: z.number() });
export type Digest = z.infer<typeof digest>;

/**
 * Passes a stream on, and calls `onDigest` after its last byte was read. If that rejects, the stream fails without its
 * last chunk: a browser that knows the length takes a file as complete once it has every byte.
 */
export function hashed(source: Readable, onDigest: (digest: Digest) => void | Promise<void>): Readable {
  const hasher = createHasher();
  let size = 0;
  let held: Buffer | undefined;
  const passed = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      const before = held;
      held = chunk;
      hasher.update(chunk).then(() => done(null, before), done);
    },
    flush(done) {
      const finish = async () => onDigest({ sha256: await hasher.digest(), size });
      finish().then(() => done(null, held), done);
    },
    destroy(error, done) {
      hasher.close();
      done(error);
    },
  });
  return pipeline(source, passed, () => {}); // `passed` emits the error
}

/** Reads a stream to its end. */
export async function digestOf(source: Readable): Promise<Digest> {
  let digest: Digest | undefined;
  const onDigest = (read: Digest) => {
    digest = read;
  };
  for await (const _ of hashed(source, onDigest));
  return digest ?? { sha256: '', size: 0 };
}
