import { createHash } from 'node:crypto';

/** Number of hexadecimal digits of an id. The database function `inbox_item_id` uses the same length. */
const idLength = 32;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, idLength);

/** An item's id in everything that is sent to Slack. The item's URL is secret, so it isn't used. */
export const itemIdOf = (url: string): string => digestOf(url);

/** Whether text from Slack can be an item's id. */
export const isItemId = (text: string): boolean => text.length === idLength && /^[0-9a-f]+$/.test(text);

/** Identifies one person's download of one file. */
export const downloadIdOf = (person: string, url: string, name: string): string =>
  digestOf(JSON.stringify([person, url, name]));

/** Identifies a file within its item in a button's value. Its name can be too long, and its position can change. */
export const fileIdOf = (name: string): string => digestOf(name).slice(0, 16);
