import type { Log } from './log.ts';

type Close = () => Promise<void>;

/** Closes resources in reverse order of opening. If one fails to close, the others are still closed. */
export interface Closers {
  /** After `closeAll` was called, `close` runs immediately. */
  add(close: Close): void;
  closeAll(): Promise<void>;
}

export function createClosers(log: Log): Closers {
  const opened: Close[] = [];
  let closing = false;
  const closeOne = (close: Close) => close().catch((error: unknown) => log.warn({ err: error }, 'not closed cleanly'));
  return {
    add(close) {
      if (closing) void closeOne(close);
      else opened.push(close);
    },
    async closeAll() {
      closing = true;
      for (const close of opened.splice(0).reverse()) await closeOne(close);
    },
  };
}
