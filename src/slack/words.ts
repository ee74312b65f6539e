/** Sizes, counts, addresses and escapes, as people read them. */
import { cutTo } from './limits.ts';

export function sizeOf(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return unit === 0 ? count(bytes, 'byte') : `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** @param total how many there are, where `words` are only the first of them */
export function andList(words: readonly string[], most = 5, total = words.length): string {
  const shown = words.slice(0, most);
  const more = total - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** For the one place where Slack looks for mentions and links in a text: the fallback of a message. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A time to live as an admin said it counts; in the service's own units where nobody knows. */
export function expiresAfter(value: number, unit: 'days' | 'hours' | 'minutes' | 'own'): string {
  return unit === 'own' ? `${value} (the service's own units)` : count(value, unit.slice(0, -1));
}

/** A stranger's text as a part of a line: no line break of its own can make it look like another line. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** No longer than an address can be. */
export const shownAddress = (email: string): string => cutTo(oneLine(email), 254);

export const shownNumber = (number = ''): string => cutTo(oneLine(number), 40) || 'no number';
