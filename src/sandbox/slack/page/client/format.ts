const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const formats: Record<string, Intl.DateTimeFormat> = {
  date_num: new Intl.DateTimeFormat('sv', { dateStyle: 'short' }),
  date: new Intl.DateTimeFormat('en', { dateStyle: 'long' }),
  date_short: new Intl.DateTimeFormat('en', { dateStyle: 'medium' }),
  date_long: new Intl.DateTimeFormat('en', { dateStyle: 'full' }),
  time: clock,
  time_secs: new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }),
};

let passedMs = 0;

/** Sets how far the workspace's clock is ahead of the browser's. */
export function setPassed(ms: number): void {
  passedMs = ms;
}

const now = () => new Date(Date.now() + passedMs);

/** The time of a message. Its ts is in seconds since 1970. */
export function timeOf(ts: string): Date {
  return new Date(Number(ts) * 1000);
}

export function clockTime(date: Date): string {
  return clock.format(date);
}

export function dayOf(date: Date): string {
  const isToday = now().toDateString() === date.toDateString();
  return isToday
    ? 'Today'
    : new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' }).format(date);
}

/** A date in Slack's format, in the reader's time zone: `{date_short} at {time}`. */
export function dateIn(seconds: number, format: string, fallback: string): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return fallback;
  return format.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name === 'ago') return ago(date);
    return formats[name.replace('_pretty', '')]?.format(date) ?? whole;
  });
}

function ago(date: Date): string {
  const minutes = Math.round((now().getTime() - date.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 1440 ? `${Math.round(minutes / 60)} h ago` : `${counted(Math.round(minutes / 1440), 'day')} ago`;
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** Whole hours in words: `1 day 3 hours`. */
export function durationOf(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  const days = Math.floor(hours / 24);
  const parts = [days > 0 && counted(days, 'day'), hours % 24 > 0 && counted(hours % 24, 'hour')];
  return parts.filter(Boolean).join(' ');
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), 4);
  return `${(bytes / 1000 ** power).toFixed(bytes / 1000 ** power < 10 ? 1 : 0)} ${['B', 'KB', 'MB', 'GB', 'TB'][power]}`;
}
