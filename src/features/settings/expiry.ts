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

/** The expiry of a transfer, typed as a number or, where the unit is known, as a date (UTC). */
export function typedExpiryOrDate(text: string, unit: TtlUnit, now = Date.now()): number | undefined {
  if (unit === 'own' || !isDate(text)) return typedExpiry(text, unit);
  const end = Date.parse(`${text.trim()}T23:59:59Z`);
  const value = Math.floor((end - now) / 1000 / seconds[unit]);
  return value >= 1 ? value : undefined;
}

const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text.trim());

export function expectExpiryOrDate(text: string, unit: TtlUnit, field: string): number {
  const value = typedExpiryOrDate(text, unit);
  if (value !== undefined) return value;
  if (unit === 'own' || !isDate(text)) return expectTypedExpiry(text, unit, field);
  throw new DroplineError('invalid', `${text.trim()} is too early or isn't a date. Enter a later date.`, { field });
}

/** Presets of 1, 7 and 30 days, in the service's unit, up to the workspace's maximum. None if the unit is unknown. */
export function expiryPresets({ unit, longest }: Settings['ttl']): { label: string; value: string }[] {
  if (unit === 'own') return [];
  const presets = [1, 7, 30].map((days) => ({ days, value: (days * seconds.days) / seconds[unit] }));
  return presets
    .filter(({ value }) => longest === undefined || value <= longest)
    .map(({ days, value }) => ({ label: days === 1 ? '1 day' : `${days} days`, value: String(value) }));
}

/** The hint of a form: what can be typed, and the workspace's maximum. */
export function expiryHint(ttl: Settings['ttl']): string | undefined {
  const typed = ttl.unit === 'own' ? [] : [`A number of ${ttl.unit}, or a date like 2030-12-24.`];
  const texts = [...typed, ...[maximumText(ttl) ?? []].flat()];
  return texts.length === 0 ? undefined : texts.join(' ');
}

export const expiryLabel = (unit: TtlUnit) => `Expires after (${unit === 'own' ? 'unit unknown' : unit})`;

function maximumText({ longest, unit }: Settings['ttl']): string | undefined {
  return longest === undefined ? undefined : `At most ${longest}${unit === 'own' ? '' : ` ${unit}`}.`;
}

export const unitChoices: [string, TtlUnit][] = [
  ['days', 'days'],
  ['hours', 'hours'],
  ['minutes', 'minutes'],
  ["I'm not sure", 'own'],
];
