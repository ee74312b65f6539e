import { type Logger, LogLevel } from '@slack/web-api';
import type { Log } from '../lib/log.ts';

/** Errors that anyone can cause by opening the OAuth redirect URL. */
const oauthRedirectErrors = new Set([
  'slack_oauth_missing_state',
  'slack_oauth_invalid_state',
  'slack_oauth_missing_code',
  'slack_oauth_installer_authorization_error',
]);

export function isOAuthRedirectError(error: unknown): boolean {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { error?: unknown } };
  return oauthRedirectErrors.has(String(code)) || data?.error === 'invalid_code' || data?.error === 'code_already_used';
}

/**
 * Logs the SDK's warnings and errors, except errors that anyone can cause. Lower levels contain people's messages and
 * names, so they are dropped.
 */
export function quietLogger(log: Log): Logger {
  const logAt =
    (level: 'warn' | 'error') =>
    (...parts: unknown[]) => {
      const [error] = parts.filter((part) => part instanceof Error);
      if (isOAuthRedirectError(error)) return;
      log[level]({ err: error }, `slack: ${parts.filter((part) => typeof part === 'string').join(' ')}`);
    };
  return {
    debug() {},
    info() {},
    warn: logAt('warn'),
    error: logAt('error'),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
