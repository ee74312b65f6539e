import type { Log } from '../lib/log.ts';

/**
 * Logs an outage of the database when it begins and when it ends. Warns at most once a minute, however often it fails.
 */
export function createOutage(
  log: Log | undefined,
  ping: () => Promise<unknown>,
  { pingMs = 1_000, remindMs = 60_000 } = {},
) {
  let startedAt: number | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let isLogged = false;
  let isStopped = false;
  const fields = () => ({ seconds: Math.round((performance.now() - (startedAt ?? 0)) / 1000) });

  function warn(details: object, message: string): void {
    if (performance.now() - warnedAt < remindMs) return;
    warnedAt = performance.now();
    isLogged = true;
    log?.warn(details, message);
  }

  async function watch(): Promise<void> {
    try {
      await ping();
      if (isLogged && !isStopped) log?.info(fields(), 'database is back');
      startedAt = undefined;
    } catch (error) {
      if (isStopped) return;
      warn({ ...fields(), err: error }, 'database still unreachable');
      setTimeout(watch, pingMs).unref();
    }
  }

  return {
    /** A connection was lost or failed. Until the database answers again, more losses belong to the same outage. */
    begin(error: unknown): void {
      if (startedAt !== undefined || isStopped) return;
      startedAt = performance.now();
      isLogged = false;
      warn({ err: error }, 'database unreachable');
      // Not at once: a server that shuts down closes one connection after the other.
      setTimeout(watch, pingMs).unref();
    },
    /** Returns a log whose warnings have the level debug during an outage, because they only repeat it. */
    quiet: <L extends Log>(noisy: L): L =>
      Object.assign(Object.create(noisy), {
        warn: (details: object, message: string) =>
          startedAt === undefined ? noisy.warn(details, message) : noisy.debug(details, message),
      }),
    stop(): void {
      isStopped = true;
    },
  };
}
