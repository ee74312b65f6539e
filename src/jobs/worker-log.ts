import { Logger } from 'graphile-worker';

/** The part of a pino logger that is used here. */
export interface JobLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Logs the engine's own messages at lower levels, because the runner logs what happens to a job. */
export function createWorkerLogger(log: JobLog | undefined): Logger {
  return new Logger((scope) => (level, message) => {
    if (level === 'error') log?.warn({ scope: scope.label }, message);
    else log?.debug({ scope: scope.label }, message);
  });
}
