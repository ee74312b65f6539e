/** The result of a check. `skipped`: the check doesn't apply here, or couldn't be made. */
export interface Result {
  status: 'ok' | 'failed' | 'skipped';
  message: string;
  /** What to do, for `failed`. */
  fix?: string;
}

export const ok = (message: string): Result => ({ status: 'ok', message });
export const failed = (message: string, fix: string): Result => ({ status: 'failed', message, fix });
export const skipped = (message: string): Result => ({ status: 'skipped', message });

/**
 * The message of the innermost cause. A failed connection to several addresses is an AggregateError without a message.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
