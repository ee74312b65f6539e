import { type Logger, LogLevel } from '@slack/bolt';

/** The part of a pino logger that is used here. */
export interface SlackLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The SDK's own lines. Those below a warning hold messages and names of people, and are left out. */
export function quietLogger(log: SlackLog): Logger {
  const say =
    (level: 'warn' | 'error') =>
    (...words: unknown[]) => {
      const [error] = words.filter((word) => word instanceof Error);
      log[level]({ err: error }, `slack: ${words.filter((word) => typeof word === 'string').join(' ')}`);
    };
  return {
    debug() {},
    info() {},
    warn: say('warn'),
    error: say('error'),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
