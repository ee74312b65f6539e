import { failed, ok, type Result } from './result.ts';

/** Stricter than Slack's five minutes for requests: smaller differences already make expiry dates and polls wrong. */
const maxSkewMs = 60_000;

export function skewResult(skewMs: number, reference: string): Result {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) <= maxSkewMs) return ok(`${seconds} s difference from ${reference}`);
  const direction = skewMs > 0 ? 'slow' : 'fast';
  return failed(
    `This machine's clock is ${seconds} s ${direction}, compared with ${reference}`,
    'Synchronise it: timedatectl set-ntp true',
  );
}
