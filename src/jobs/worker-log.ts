import { Logger } from 'graphile-worker';
import type { Log } from '../lib/log.ts';

/** Logs the engine's own messages at lower levels, because the runner logs what happens to a job. */
export function createWorkerLogger(log: Log | undefined): Logger {
  return new Logger((scope) => (level, message) => {
    if (level === 'error') log?.warn({ scope: scope.label }, message);
    else log?.debug({ scope: scope.label }, message);
  });
}
