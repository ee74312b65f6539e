import { type Logger, LogLevel } from '@slack/bolt';

/** The part of a pino logger that is used here. */
export interface SlackLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Errors that anyone can cause by opening the OAuth redirect URL. */
const byStrangers = new Set([
  'slack_oauth_missing_state',
  'slack_oauth_invalid_state',
  'slack_oauth_missing_code',
  'slack_oauth_installer_authorization_error',
]);

export function isByStranger(error: unknown): boolean {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { error?: unknown } };
  return byStrangers.has(String(code)) || data?.error === 'invalid_code' || data?.error === 'code_already_used';
}

/** Logs the SDK's warnings and errors. Lower levels contain people's messages and names, so they are dropped. */
export function quietLogger(log: SlackLog): Logger {
  const say =
    (level: 'warn' | 'error') =>
    (...words: unknown[]) => {
      const [error] = words.filter((word) => word instanceof Error);
      if (isByStranger(error)) return;
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
