/** Adds the reason to the title of a skipped test. The reporter lists all reasons at the end of a run. */
export const withReason = (title: string, reason: string) => `${title} (skipped: ${reason})`;

export function reasonOf(title: string): string {
  return /\(skipped: ([^)]*)\)/.exec(title)?.[1] ?? 'no reason given';
}
