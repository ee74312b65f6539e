import { ErrorCode } from '@slack/web-api';

/** Slack's error code for a refused call; undefined for any other error. */
export function platformErrorOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== ErrorCode.PlatformError) return undefined;
  const { data } = error as Error & { data?: { error?: string } };
  return data?.error ?? '';
}

/** Whether Slack refused a call or didn't answer it properly. */
export function isSlackFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (Object.values(ErrorCode) as unknown[]).includes(error.code);
}

/** How long Slack rate-limits these calls; undefined for any other error. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== ErrorCode.RateLimitedError) return undefined;
  const { retryAfter } = error as Error & { retryAfter?: number };
  return Math.max(retryAfter ?? 0, 1) * 1000;
}

/** Whether a call failed without a clear answer of Slack, which might have carried it out. */
export const isUnanswered = (error: unknown): boolean =>
  isSlackFailure(error) && platformErrorOf(error) === undefined && retryAfterMs(error) === undefined;
