/** Days as `YYYY-MM-DD` and local times, in a person's time zone. Zones are IANA names. */

const dayMs = 86_400_000;

/** The time zone, or UTC if this process doesn't know it. */
export function knownZone(zone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone ?? 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** The calendar day in the zone at this time. */
export function dayOf(time: number | Date, zone: string): string {
  return new Date(Number(time) + offsetAt(Number(time), zone)).toISOString().slice(0, 10);
}

/** Whether the text is a valid date, such as 2024-02-29. */
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
 * skip it, when they would show it without the change.
 */
export function instantOf(local: number, zone: string): number {
  const byEarlierOffset = local - offsetAt(local - dayMs, zone);
  const byLaterOffset = local - offsetAt(local + dayMs, zone);
  return [byEarlierOffset, byLaterOffset].find((time) => time + offsetAt(time, zone) === local) ?? byEarlierOffset;
}

/** How far the zone's clock is ahead of UTC at this time, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(time);
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value);
  const localTime = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return localTime - Math.floor(time / 1000) * 1000;
}

/** Cached, because creating a formatter takes much longer than using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const maxClocks = 50;

function clockOf(zone: string): Intl.DateTimeFormat {
  const cached = clocks.get(zone);
  if (cached !== undefined) return cached;
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
