import { ErrorCode } from '@slack/web-api';

/**
 * Slack's error code for a refused call; undefined for any other error. Slack's client also reports an answer that
 * isn't JSON, for example from a proxy, as a refusal, with the whole text as its code. Here that is another error.
 */
export function platformErrorOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== ErrorCode.PlatformError) return undefined;
  const { data } = error as Error & { data?: { error?: unknown } };
  return typeof data?.error === 'string' && /^[\w.-]+$/.test(data.error) ? data.error : undefined;
}

/** For a call whose refusal doesn't matter. Rethrows any other error. */
export function ignoreRefusal(error: unknown): void {
  if (platformErrorOf(error) === undefined) throw error;
}

/** The scope that a refused call needs and the bot doesn't have, if Slack names it. */
export function missingScopeOf(error: unknown): string | undefined {
  if (platformErrorOf(error) !== 'missing_scope') return undefined;
  const { needed } = (error as { data?: { needed?: unknown } }).data ?? {};
  return typeof needed === 'string' && /^[\w:.,-]+$/.test(needed) ? needed : undefined;
}

/** Whether Slack refused a call or didn't answer it properly. */
export function isSlackFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isInterrupted(error) || ('code' in error && (Object.values(ErrorCode) as unknown[]).includes(error.code));
}

/** Whether the connection broke during the answer. Slack's client rethrows this error of `fetch` unchanged. */
const isInterrupted = (error: Error) => error instanceof TypeError && error.message === 'terminated';

/** How long to wait if Slack has rate-limited the call; undefined for any other error. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== ErrorCode.RateLimitedError) return undefined;
  const { retryAfter } = error as Error & { retryAfter?: number };
  return Math.max(retryAfter ?? 0, 1) * 1000;
}

/** Whether a call failed without a clear answer from Slack. Slack might have carried it out. */
export const isUnanswered = (error: unknown): boolean =>
  isSlackFailure(error) && platformErrorOf(error) === undefined && retryAfterMs(error) === undefined;

/**
 * A person or conversation can't get messages until that person or an admin acts. Doesn't include `account_inactive`,
 * which is about the bot itself.
 */
export const cannotPost = [
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'restricted_action_thread_locked',
  'ekm_access_denied',
  'team_access_not_granted',
  'user_disabled',
  'user_not_found',
  'user_not_visible',
  'cannot_dm_bot',
  'messages_tab_disabled',
] as const;

/** Slack's error codes by what they mean here. A code can be in several lists. */
const codes = {
  'cannot-post': cannotPost,
  /** The message is gone, or the bot can't change it. */
  'cannot-change': [...cannotPost, 'message_not_found', 'cant_update_message', 'edit_window_closed'],
  'no-thread': ['thread_not_found', 'cannot_reply_to_message'],
  'no-conversation': ['channel_not_found'],
  /** The person isn't in the workspace. */
  'no-person': ['user_not_found', 'user_not_visible'],
  /** The person has closed the modal. */
  'no-view': ['not_found'],
  'changed-view': ['hash_conflict'],
  'no-file': ['file_not_found', 'file_deleted'],
  'file-denied': ['access_denied', 'not_visible'],
  /** Slack itself failed. It might have carried out the call. */
  unclear: ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'],
  /** The app was removed. Not `invalid_auth`, which can be about our IP address. */
  removed: ['account_inactive', 'token_revoked'],
  /** About the token, the app, the workspace or rate limits, not about what was asked for. */
  'not-possible': [
    'accesslimited',
    'account_inactive',
    'deprecated_endpoint',
    'enterprise_is_restricted',
    'invalid_auth',
    'method_deprecated',
    'missing_scope',
    'no_permission',
    'not_allowed_token_type',
    'not_authed',
    'org_login_required',
    'ratelimited',
    'rate_limited',
    'team_access_not_granted',
    'team_added_to_org',
    'token_expired',
    'token_revoked',
    'two_factor_setup_required',
    'unknown_method',
  ],
} satisfies Record<string, readonly string[]>;

/** Whether Slack refused a call for one of these reasons. */
export function isRefused(error: unknown, ...reasons: (keyof typeof codes)[]): boolean {
  const code = platformErrorOf(error);
  return code !== undefined && reasons.some((reason) => (codes[reason] as readonly string[]).includes(code));
}
