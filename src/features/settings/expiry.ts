import { endOfDay, isDay } from '../../lib/time-zone.ts';
import { dateTooEarly, notAWholeNumber } from './errors.ts';
import type { Expiry, ExpiryUnit } from './repository.ts';

const seconds: Record<Exclude<ExpiryUnit, 'own'>, number> = { days: 86_400, hours: 3_600, minutes: 60 };

/** Length of the unit in seconds; undefined if it is unknown. */
export const secondsPer = (unit: ExpiryUnit): number | undefined => (unit === 'own' ? undefined : seconds[unit]);

/** When something expires, in seconds since 1970; undefined if that is unknown or too late to be shown. */
export function expiryOf(
  since: number | undefined,
  expiresAfter: string | number | undefined,
  unit: ExpiryUnit,
): number | undefined {
  const value = Number(expiresAfter ?? Number.NaN);
  if (unit === 'own' || since === undefined || !(value > 0)) return undefined;
  const end = Math.round(since + value * seconds[unit]);
  // Dates after the year 9999 can't be shown.
  return end < 253_402_300_800 ? end : undefined;
}

/** The expiry that a person typed, in whole units; undefined if it can't be used. */
function typedExpiry(text: string): number | undefined {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  return value > 0 ? value : undefined;
}

/** The expiry of a transfer, typed as a number or, where the unit is known, as a date in the person's time zone. */
export function typedExpiryOrDate(text: string, unit: ExpiryUnit, zone: string, now = Date.now()): number | undefined {
  const date = typedDate(text, unit);
  return date === undefined ? typedExpiry(text) : durationUntil(date, unit, zone, now);
}

/** The date that a person typed instead of a number; undefined if it isn't one or if the unit is unknown. */
export function typedDate(text: string, unit: ExpiryUnit): string | undefined {
  return unit !== 'own' && /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? text.trim() : undefined;
}

/** Whole units until the end of the date in the zone; undefined if none is left, or if unit or date can't be used. */
export function durationUntil(date: string, unit: ExpiryUnit, zone: string, now = Date.now()): number | undefined {
  if (unit === 'own' || !isDay(date)) return undefined;
  const value = Math.floor((endOfDay(date, zone) - 1000 - now) / 1000 / seconds[unit]);
  return value >= 1 ? value : undefined;
}

export function expectExpiryOrDate(text: string, unit: ExpiryUnit, field: string, zone: string): number {
  const value = typedExpiryOrDate(text, unit, zone);
  if (value !== undefined) return value;
  throw typedDate(text, unit) === undefined ? notAWholeNumber(field) : dateTooEarly(field, text.trim());
}

/** Presets of 1, 7 and 30 days, in the service's unit, up to the workspace's maximum. None if the unit is unknown. */
export function expiryPresets({
  expiryUnit: unit,
  expiryLongest: longest,
}: Expiry): { label: string; value: string }[] {
  if (unit === 'own') return [];
  const presets = [1, 7, 30].map((days) => ({ days, value: (days * seconds.days) / seconds[unit] }));
  return presets
    .filter(({ value }) => longest === undefined || value <= longest)
    .map(({ days, value }) => ({ label: days === 1 ? '1 day' : `${days} days`, value: String(value) }));
}

/** The hint of a form: the workspace's maximum. */
export function expiryHint({ expiryLongest: longest, expiryUnit: unit }: Expiry): string | undefined {
  return longest === undefined ? undefined : `At most ${longest}${unit === 'own' ? '' : ` ${unit}`}.`;
}

export const expiryLabel = (unit: ExpiryUnit) => `Expires after (${unit === 'own' ? 'unit unknown' : unit})`;
