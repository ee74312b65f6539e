import { createHash } from 'node:crypto';

/** Hexadecimal digits of the digest that make an id unique. The database index of items has the same length. */
const idLength = 32;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, idLength);

/** Replaces an item's URL, which is a secret, in everything that Slack sees. */
export const itemIdOf = (url: string): string => digestOf(url);

/** Identifies one person's download of one file. */
export const downloadIdOf = (person: string, url: string, name: string): string =>
  digestOf(JSON.stringify([person, url, name]));

/** Identifies a file within its item: names can have any length, and their order can change. */
export const fileIdOf = (name: string): string => digestOf(name).slice(0, 16);
