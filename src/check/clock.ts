import { failed, ok, type Result } from './result.ts';

/** Slack refuses signatures that are five minutes off; expiry and polls suffer sooner. */
const maxSkewMs = 60_000;

export function skewResult(skewMs: number, of: string): Result {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) <= maxSkewMs) return ok(`${seconds} s from that of ${of}`);
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  return failed(
    `This machine's clock is ${seconds} s ${direction} that of ${of}`,
    'Synchronise it: timedatectl set-ntp true',
  );
}
