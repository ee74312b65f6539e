import { ErrorCode } from '@slack/web-api';

/** The word with which Slack refused a call; undefined where it was something else than a refusal. */
export function platformErrorOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== ErrorCode.PlatformError) return undefined;
  const { data } = error as Error & { data?: { error?: string } };
  return data?.error ?? '';
}

/** Slack refused a call, or did not answer it as it should. */
export function isSlackFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (Object.values(ErrorCode) as unknown[]).includes(error.code);
}

/** How long Slack takes no more such calls; undefined where it refused for another reason. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== ErrorCode.RateLimitedError) return undefined;
  const { retryAfter } = error as Error & { retryAfter?: number };
  return Math.max(retryAfter ?? 0, 1) * 1000;
}
