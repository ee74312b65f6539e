/** Days as `YYYY-MM-DD`, in a person's time zone. Zones are IANA names. */

const dayMs = 86_400_000;

/** The name, or UTC if it isn't a time zone that this process knows. */
export function knownZone(zone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone ?? 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** The day that it is at this time in the zone. */
export function dayOf(time: number | Date, zone: string): string {
  return new Date(Number(time) + offsetAt(Number(time), zone)).toISOString().slice(0, 10);
}

/** Whether the text is a day that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** When the day starts, in milliseconds since 1970. */
export function startOfDay(day: string, zone: string): number {
  return startOf(Date.parse(`${day}T00:00:00Z`), zone);
}

/** When the next day starts. A day with a clock change doesn't have 24 hours. */
export function endOfDay(day: string, zone: string): number {
  return startOf(Date.parse(`${day}T00:00:00Z`) + dayMs, zone);
}

/** The offset is looked up again at the first result: the clock can change between UTC's midnight and the zone's. */
function startOf(utc: number, zone: string): number {
  return utc - offsetAt(utc - offsetAt(utc, zone), zone);
}

/** How far the zone's clock is ahead of UTC at this time, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(time / 1000) * 1000;
}
