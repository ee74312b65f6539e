/** Days as `YYYY-MM-DD` and local times, in a person's time zone. Zones are IANA names. */

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
  return instantOf(Date.parse(`${day}T00:00:00Z`), zone);
}

/** When the next day starts. A day with a clock change doesn't have 24 hours. */
export function endOfDay(day: string, zone: string): number {
  return instantOf(Date.parse(`${day}T00:00:00Z`) + dayMs, zone);
}

/**
 * When clocks in the zone show this local time, given as if it were UTC. If they show it twice, the first time; if they
 * skip it, the moment of the change.
 */
export function instantOf(local: number, zone: string): number {
  const before = local - offsetAt(local - dayMs, zone);
  const after = local - offsetAt(local + dayMs, zone);
  return [before, after].find((time) => time + offsetAt(time, zone) === local) ?? before;
}

/** How far the zone's clock is ahead of UTC at this time, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(time);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(time / 1000) * 1000;
}

/** Reused, because creating one takes much longer than using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const maxClocks = 50;

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (clocks.size >= maxClocks) clocks.clear();
  clocks.set(zone, clock);
  return clock;
}
