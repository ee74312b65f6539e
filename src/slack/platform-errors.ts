import { ErrorCode } from '@slack/web-api';

/** The word with which Slack refused a call; undefined where it was something else than a refusal. */
export function platformErrorOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== ErrorCode.PlatformError) return undefined;
  const { data } = error as Error & { data?: { error?: string } };
  return data?.error ?? '';
}
