import type { Log } from './log.ts';

type Close = () => Promise<void>;

export type Closers = ReturnType<typeof createClosers>;

/** Closes resources in reverse order of opening. If one fails to close, the others are still closed. */
export function createClosers(log: Log) {
  const opened: Close[] = [];
  let closing = false;
  const closeOne = (close: Close) => close().catch((error: unknown) => log.warn({ err: error }, 'not closed cleanly'));
  return {
    /** After `closeAll` was called, `close` runs immediately. */
    add(close: Close): void {
      if (closing) void closeOne(close);
      else opened.push(close);
    },
    async closeAll(): Promise<void> {
      closing = true;
      for (const close of opened.splice(0).reverse()) await closeOne(close);
    },
  };
}
