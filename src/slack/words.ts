/** Formats sizes, counts, addresses and other texts for people. */
import { truncateText } from './limits.ts';

export function sizeOf(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return unit === 0
    ? count(Math.round(bytes), 'byte')
    : `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`;
}

/** @param total the number of all items, if `items` has only the first ones */
export function andList(items: readonly string[], maxItems = 5, total = items.length): string {
  const shownItems = items.slice(0, maxItems);
  const omitted = total - shownItems.length;
  if (omitted > 0) return `${shownItems.join(', ')} ${andMore(omitted)}`;
  return shownItems.length < 2 ? shownItems.join('') : `${shownItems.slice(0, -1).join(', ')} and ${shownItems.at(-1)}`;
}

export const andMore = (omitted: number): string => `and ${omitted.toLocaleString('en')} more`;

/** Escapes a message's fallback text, the only text from Dropline in which Slack parses mentions and links. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** How long until a transfer expires, in the unit that an admin has set; says so if the unit is unknown. */
export function durationText(value: number, unit: 'days' | 'hours' | 'minutes' | 'own'): string {
  return unit === 'own' ? `${value} (unit unknown)` : count(value, unit.slice(0, -1));
}

/** Puts an outside sender's text on one line, so that a line break in it can't fake another line. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** 254 characters is the maximum length of an email address. */
export const shownAddress = (email: string): string => truncateText(oneLine(email), 254);

/** Labels the digits, because it wouldn't be clear next to a name that they are a mobile number. */
export function shownNumber(number = ''): string {
  const digits = truncateText(oneLine(number), 40);
  return digits === '' ? 'No mobile number' : `Mobile ${digits}`;
}

interface Details {
  nick?: string;
  number?: string;
}

/** A contact's name and number. Show them after the address, because a name can imitate another person's address. */
export function shownDetails({ nick = '', number }: Details): string {
  const name = truncateText(oneLine(nick), 100);
  return `${name === '' ? '' : ` (${name})`} · ${shownNumber(number)}`;
}

/** Up to three file names for a list of transfers or items. */
export const listedNames = (names: readonly string[]): string =>
  andList(
    names.map((name) => truncateText(oneLine(name), 100) || '(no name)'),
    3,
  ) || 'no files';
