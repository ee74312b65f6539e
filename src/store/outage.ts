export interface DatabaseLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface Outage {
  /** A connection was lost or failed. Until the database answers again, more losses belong to the same outage. */
  begin(error: unknown): void;
  /** Returns a log whose warnings have the level debug during an outage, because they only repeat it. */
  quiet<L extends DatabaseLog>(log: L): L;
  stop(): void;
}

/** Logs an outage of the database when it begins, once a minute, and when it ends. */
export function createOutage(
  log: DatabaseLog | undefined,
  ping: () => Promise<unknown>,
  { pingMs = 1_000, remindMs = 60_000 } = {},
): Outage {
  let startedAt: number | undefined;
  let remindedAt = 0;
  let isStopped = false;
  const fields = () => ({ seconds: Math.round((performance.now() - (startedAt ?? 0)) / 1000) });

  async function watch(): Promise<void> {
    try {
      await ping();
      if (!isStopped) log?.info(fields(), 'database is back');
      startedAt = undefined;
    } catch (error) {
      if (isStopped) return;
      if (performance.now() - remindedAt >= remindMs) {
        remindedAt = performance.now();
        log?.warn({ ...fields(), err: error }, 'database still unreachable');
      }
      setTimeout(watch, pingMs).unref();
    }
  }

  return {
    begin(error) {
      if (startedAt !== undefined || isStopped) return;
      startedAt = performance.now();
      remindedAt = startedAt;
      log?.warn({ err: error }, 'database unreachable');
      // Not at once: a server that shuts down closes one connection after the other.
      setTimeout(watch, pingMs).unref();
    },
    quiet: (noisy) =>
      Object.assign(Object.create(noisy), {
        warn: (details: object, message: string) =>
          startedAt === undefined ? noisy.warn(details, message) : noisy.debug(details, message),
      }),
    stop() {
      isStopped = true;
    },
  };
}
