import type { TtlUnit } from '../settings/settings.ts';

const seconds: Record<Exclude<TtlUnit, 'own'>, number> = { days: 86_400, hours: 3_600, minutes: 60 };

/** When something ends, in seconds since 1970; undefined where nobody knows what its time to live counts, or from when. */
export function endOf(since: number | undefined, ttl: string | number | undefined, unit: TtlUnit): number | undefined {
  const value = Number(ttl ?? Number.NaN);
  if (unit === 'own' || since === undefined || !(value > 0)) return undefined;
  const end = Math.round(since + value * seconds[unit]);
  // A date that no calendar has is no date.
  return end < 253_402_300_800 ? end : undefined;
}
