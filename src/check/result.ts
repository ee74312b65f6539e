/** What a check found. `skipped`: it doesn't apply here, or couldn't be checked. */
export interface Result {
  status: 'ok' | 'failed' | 'skipped';
  message: string;
  /** What to do, for `failed`. */
  fix?: string;
}

export const ok = (message: string): Result => ({ status: 'ok', message });
export const failed = (message: string, fix: string): Result => ({ status: 'failed', message, fix });
export const skipped = (message: string): Result => ({ status: 'skipped', message });

/** The reason in an error. An AggregateError, as of a refused connection to several addresses, has it inside. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
