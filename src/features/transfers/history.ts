import type { HistoryEntry } from '../../exchange/index.ts';
import type { Store } from '../../store/index.ts';
import { type Connection, connectionOf } from '../common/connection/connection.ts';
import type { Services } from '../common/services.ts';
import { textOf } from './compare.ts';

export interface ReadEntry {
  entry: HistoryEntry;
  /** Approximate size in memory. */
  bytes: number;
  /** Identifies the entry; transfers store it. */
  mark(): string;
}

export interface HistoryReader {
  /** Called before the first entry, and again if the service had to be asked twice. */
  begin?(): void;
  take(read: ReadEntry): void;
}

type Answer = { liveDrops: number | undefined };

interface Line {
  running: Promise<unknown> | undefined;
  next: { readers: HistoryReader[]; answer: Promise<Answer> } | undefined;
}

const linesBy = new WeakMap<Store, Map<string, Line>>();

/**
 * Reads the whole history for people. One reading at a time per connection: calls during a reading wait for it and
 * share the next. So any number of them costs at most two readings, and none gets a history older than its call.
 */
export async function readWholeHistory(services: Services, workspace: string, reader: HistoryReader): Promise<Answer> {
  const connection = await connectionOf(services, workspace);
  const lines = linesBy.get(services.store) ?? new Map<string, Line>();
  linesBy.set(services.store, lines);
  // Not keyed by account: if two workspaces share one, the API key of one can have been revoked.
  const key = JSON.stringify([workspace, connection.exchange.account, connection.credentials.connectedAt]);
  const line = lines.get(key) ?? { running: undefined, next: undefined };
  lines.set(key, line);
  line.next ??= begin(services, connection, line, () => lines.delete(key));
  line.next.readers.push(reader);
  return line.next.answer;
}

function begin(services: Services, connection: Connection, line: Line, close: () => void): NonNullable<Line['next']> {
  const readers: HistoryReader[] = [];
  const run = async () => {
    await line.running?.catch(() => {});
    line.next = undefined;
    const reading = readFor(services, connection, readers);
    line.running = reading;
    return reading.finally(() => {
      if (line.next === undefined) close();
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
      let mark: string | undefined;
      const read = { entry, bytes, mark: () => (mark ??= store.markOf(textOf(entry))) };
      for (const reader of readers) reader.take(read);
      return undefined;
    },
  });
}
