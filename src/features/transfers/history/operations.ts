import type { HistoryEntry } from '../../../exchange/index.ts';
import type { Store } from '../../../store/index.ts';
import { type Connection, connectionOf } from '../../common/connection.ts';
import type { Services } from '../../common/services.ts';
import { textOf } from './compare.ts';

export interface ReadEntry {
  entry: HistoryEntry;
  /** Approximate size in memory. */
  bytes: number;
  /** Identifies the entry; transfers store it. */
  hash(): string;
}

export interface HistoryReader {
  /** Called before the first entry, and again if the history is read again from the start. */
  begin?(): void;
  take(read: ReadEntry): void;
}

type Answer = { liveDrops: number | undefined };

interface ReadQueue {
  running: Promise<unknown> | undefined;
  next: { readers: HistoryReader[]; answer: Promise<Answer> } | undefined;
}

const queuesByStore = new WeakMap<Store, Map<string, ReadQueue>>();

/**
 * Reads the whole history. Runs one read at a time per connection; calls during a read wait and share the next one. So
 * simultaneous calls cost at most two reads, and no call gets a history that was read before the call.
 */
export async function readWholeHistory(services: Services, workspace: string, reader: HistoryReader): Promise<Answer> {
  const connection = await connectionOf(services, workspace);
  const queues = queuesByStore.get(services.store) ?? new Map<string, ReadQueue>();
  queuesByStore.set(services.store, queues);
  // Not keyed by account only: two workspaces can share an account, and the API key of one can be revoked.
  const key = JSON.stringify([workspace, connection.exchange.account, connection.credentials.connectedAt]);
  const queue = queues.get(key) ?? { running: undefined, next: undefined };
  queues.set(key, queue);
  queue.next ??= scheduleRead(services, connection, queue, () => queues.delete(key));
  queue.next.readers.push(reader);
  return queue.next.answer;
}

function scheduleRead(
  services: Services,
  connection: Connection,
  queue: ReadQueue,
  remove: () => void,
): NonNullable<ReadQueue['next']> {
  const readers: HistoryReader[] = [];
  const run = async () => {
    await queue.running?.catch(() => {});
    queue.next = undefined;
    const reading = readFor(services, connection, readers);
    queue.running = reading;
    return reading.finally(() => {
      if (queue.next === undefined) remove();
    });
  };
  return { readers, answer: run() };
}

async function readFor({ store }: Services, { exchange }: Connection, readers: HistoryReader[]): Promise<Answer> {
  return exchange.readHistory({
    begin: () => {
      for (const reader of readers) reader.begin?.();
    },
    pick: (entry, bytes) => {
      let hash: string | undefined;
      const read = { entry, bytes, hash: () => (hash ??= store.hmacOf(textOf(entry))) };
      for (const reader of readers) reader.take(read);
      return undefined;
    },
  });
}

/** Which of these addresses have received files from this account; undefined if the history can't be read. */
export async function recipientsInHistory(
  services: Services,
  workspace: string,
  emails: readonly string[],
): Promise<Set<string> | undefined> {
  const addresses = new Set(emails.map((email) => email.toLowerCase()));
  const earlierRecipients = new Set<string>();
  try {
    await readWholeHistory(services, workspace, {
      take({ entry: { recipients, files } }) {
        if (files.length === 0 || earlierRecipients.size === addresses.size) return;
        for (const { email = '' } of recipients) {
          const key = email.toLowerCase();
          if (addresses.has(key)) earlierRecipients.add(key);
        }
      },
    });
    return earlierRecipients;
  } catch (error) {
    services.log.warn({ workspace, err: error }, 'could not determine new recipients');
    return undefined;
  }
}
