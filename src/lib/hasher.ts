import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** How many bytes one message to the thread has, and how many such blocks a stream can have at a time. */
const blockBytes = 256 * 1024;
const maxBlocks = 3;

/** A block for the thread, which sends it back when it is hashed: with the hash, if it was the last one. */
interface Block {
  id: number;
  buffer: ArrayBuffer;
  length: number;
  isLast: boolean;
  sha256?: string;
}

/** Text, because tests run TypeScript and a thread loads only JavaScript. */
const threadCode = `
  const { createHash } = require('node:crypto');
  const { parentPort } = require('node:worker_threads');
  const hashes = new Map();
  parentPort.on('message', (block) => {
    const { id, buffer, length, isLast } = block;
    if (buffer === undefined) return hashes.delete(id);
    const hash = hashes.get(id) ?? createHash('sha256');
    hash.update(new Uint8Array(buffer, 0, length));
    if (isLast) hashes.delete(id);
    else hashes.set(id, hash);
    parentPort.postMessage({ ...block, sha256: isLast ? hash.digest('hex') : undefined }, [buffer]);
  });`;

interface Listener {
  onBlock(block: Block): void;
  onError(error: Error): void;
}

let thread: { worker: Worker; listeners: Map<number, Listener> } | undefined;
let lastId = 0;

/** The thread of this process, which all streams share. It starts with the first file that is larger than a block. */
function openThread() {
  if (thread !== undefined) return thread;
  const worker = new Worker(threadCode, { eval: true });
  const listeners = new Map<number, Listener>();
  worker.on('message', (block: Block) => listeners.get(block.id)?.onBlock(block));
  worker.on('error', (error) => {
    thread = undefined;
    for (const { onError } of listeners.values()) onError(error);
  });
  worker.unref();
  thread = { worker, listeners };
  return thread;
}

/**
 * Computes a SHA-256 in another thread: in this one, it would take a third of the throughput on processors without
 * instructions for it.
 */
export function createHasher() {
  const free: Buffer[] = [];
  let block: Buffer | undefined;
  let blocks = 0;
  let length = 0;
  let opened: ReturnType<typeof openThread> | undefined;
  let failure: Error | undefined;
  let onFree = () => {};
  let onHash: (sha256: string) => void = () => {};
  let onFailure: (error: Error) => void = () => {};
  lastId += 1;
  const id = lastId;

  const listener: Listener = {
    onBlock({ buffer, sha256 }) {
      free.push(Buffer.from(buffer));
      if (sha256 === undefined) onFree();
      else onHash(sha256);
    },
    onError(error) {
      failure = error;
      onFailure(error);
      onFree();
    },
  };

  function send(isLast: boolean): void {
    opened ??= openThread();
    opened.listeners.set(id, listener);
    opened.worker.ref(); // a command must not end before it has the hash
    const buffer = (block?.buffer ?? new ArrayBuffer(0)) as ArrayBuffer;
    opened.worker.postMessage({ id, buffer, length, isLast } satisfies Block, [buffer]);
    block = undefined;
    length = 0;
  }

  /** A block with room; undefined if all are on their way. */
  function openBlock(): Buffer | undefined {
    if (block === undefined && free.length === 0 && blocks < maxBlocks) {
      free.push(Buffer.allocUnsafeSlow(blockBytes));
      blocks += 1;
    }
    block ??= free.pop();
    return block;
  }

  return {
    /** Calls `done` once there is room for more. */
    update(chunk: Buffer, done: (error?: Error) => void): void {
      let offset = 0;
      const copy = (): void => {
        while (failure === undefined && offset < chunk.length) {
          const target = openBlock();
          if (target === undefined) return;
          const copied = chunk.copy(target, length, offset);
          offset += copied;
          length += copied;
          if (length === blockBytes) send(false);
        }
        onFree = () => {};
        done(failure);
      };
      onFree = copy;
      copy();
    },
    /** The hash of everything, in hexadecimal. */
    async digest(): Promise<string> {
      if (opened === undefined)
        return createHash('sha256')
          .update(block?.subarray(0, length) ?? '')
          .digest('hex');
      if (failure !== undefined) throw failure;
      return new Promise((resolve, reject) => {
        onHash = resolve;
        onFailure = reject;
        send(true);
      });
    },
    close(): void {
      if (opened?.listeners.delete(id) !== true) return;
      opened.worker.postMessage({ id });
      if (opened.listeners.size === 0) opened.worker.unref();
    },
  };
}
