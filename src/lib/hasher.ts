import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** How many bytes a message to the thread has, and how many blocks of memory are kept for other streams. */
const blockBytes = 256 * 1024;
const maxFreeBlocks = 16;

/** Text, because tests run TypeScript and a thread loads only JavaScript. Sends every block back, in their order. */
const threadCode = `
  const { createHash } = require('node:crypto');
  const { parentPort } = require('node:worker_threads');
  const hashes = new Map();
  parentPort.on('message', ({ id, buffer, length, isLast }) => {
    const hash = hashes.get(id) ?? createHash('sha256');
    hash.update(new Uint8Array(buffer, 0, length));
    if (isLast) hashes.delete(id);
    else hashes.set(id, hash);
    parentPort.postMessage({ buffer, sha256: isLast ? hash.digest('hex') : '' }, [buffer]);
  });`;

interface Thread {
  worker: Worker;
  /** The blocks that have not come back yet. */
  waiting: { resolve(sha256: string): void; reject(error: Error): void }[];
}

let current: Thread | undefined;
let lastId = 0;
const freeBlocks: Buffer[] = [];

/** The thread of this process, which all streams share. It starts with the first file that is larger than a block. */
function openThread(): Thread {
  const thread: Thread = { worker: new Worker(threadCode, { eval: true }), waiting: [] };
  const { worker, waiting } = thread;
  worker.on('message', ({ buffer, sha256 }: { buffer: ArrayBuffer; sha256: string }) => {
    if (freeBlocks.length < maxFreeBlocks) freeBlocks.push(Buffer.from(buffer));
    waiting.shift()?.resolve(sha256);
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', (error) => {
    current = undefined;
    for (const { reject } of waiting) reject(error);
  });
  return thread;
}

/**
 * Computes a SHA-256 in another thread: in this one, it would take a third of the throughput on processors without
 * instructions for it.
 */
export function createHasher() {
  let block: Buffer | undefined;
  let length = 0;
  /** The last block that was sent, and the thread that has the stream's hash so far. */
  let sent: Promise<string> | undefined;
  let thread: Thread | undefined;
  let isClosed = false;
  lastId += 1;
  const id = lastId;

  const openBlock = () => {
    block ??= freeBlocks.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
    return block;
  };

  function send(isLast: boolean): Promise<string> {
    thread ??= current ??= openThread();
    // A new thread would hash only the rest.
    if (thread !== current) throw new Error('the thread that hashes has ended');
    const { worker, waiting } = thread;
    const { buffer } = openBlock();
    const answer = new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
    answer.catch(() => {}); // who waits for it gets the error
    sent = answer;
    worker.ref(); // a command must not end before it has the hash
    worker.postMessage({ id, buffer, length, isLast }, [buffer as ArrayBuffer]);
    block = undefined;
    length = 0;
    return answer;
  }

  return {
    /** Resolves when there is room for more: while the thread has one block, another is filled. */
    async update(chunk: Buffer): Promise<void> {
      for (let offset = 0; offset < chunk.length && !isClosed; ) {
        const copied = chunk.copy(openBlock(), length, offset);
        offset += copied;
        length += copied;
        if (length < blockBytes) continue;
        const before = sent;
        void send(false);
        await before;
      }
    },
    /** The hash of everything, in hexadecimal. */
    async digest(): Promise<string> {
      if (sent !== undefined) return send(true);
      return createHash('sha256').update(openBlock().subarray(0, length)).digest('hex');
    },
    /** Forgets a stream that wasn't read to its end, and frees its memory. */
    close(): void {
      isClosed = true;
      if (sent !== undefined && thread === current) void send(true);
      else if (block !== undefined && freeBlocks.length < maxFreeBlocks) freeBlocks.push(block);
      block = undefined;
    },
  };
}
