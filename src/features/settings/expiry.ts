import { DroplineError } from '../../errors.ts';
import type { Settings, TtlUnit } from './repository.ts';

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

/** The expiry that a person typed; undefined if it can't be used. */
export function typedExpiry(text: string, unit: TtlUnit): number | undefined {
  const pattern = unit === 'own' ? /^\d{1,9}([.,]\d{1,9})?$/ : /^\d{1,9}$/;
  const value = pattern.test(text.trim()) ? Number(text.trim().replace(',', '.')) : 0;
  return value > 0 ? value : undefined;
}

export function expectTypedExpiry(text: string, unit: TtlUnit, field: string): number {
  const value = typedExpiry(text, unit);
  if (value !== undefined) return value;
  const message = unit === 'own' ? 'Enter a number greater than 0.' : 'Enter a whole number of 1 or more.';
  throw new DroplineError('invalid', message, { field });
}

export const expiryLabel = (unit: TtlUnit) => `Expires after (${unit === 'own' ? 'unit unknown' : unit})`;

/** The workspace's maximum, for the hint of a form. */
export function maximumText({ longest, unit }: Settings['ttl']): string | undefined {
  return longest === undefined ? undefined : `At most ${longest}${unit === 'own' ? '' : ` ${unit}`}.`;
}

export const unitChoices: [string, TtlUnit][] = [
  ['days', 'days'],
  ['hours', 'hours'],
  ['minutes', 'minutes'],
  ["I'm not sure", 'own'],
];
