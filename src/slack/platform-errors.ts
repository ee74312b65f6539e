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
