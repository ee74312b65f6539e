import type { TtlUnit } from './settings.ts';

const seconds: Record<Exclude<TtlUnit, 'own'>, number> = { days: 86_400, hours: 3_600, minutes: 60 };

/** When something expires, in seconds since 1970; undefined if the unit or the start of its time to live is unknown. */
export function expiryOf(
  since: number | undefined,
  ttl: string | number | undefined,
  unit: TtlUnit,
): number | undefined {
  const value = Number(ttl ?? Number.NaN);
  if (unit === 'own' || since === undefined || !(value > 0)) return undefined;
  const end = Math.round(since + value * seconds[unit]);
  // Dates after the year 9999 can't be shown.
  return end < 253_402_300_800 ? end : undefined;
}

export const unitChoices: [string, TtlUnit][] = [
  ['days', 'days'],
  ['hours', 'hours'],
  ['minutes', 'minutes'],
  ["I'm not sure", 'own'],
];
