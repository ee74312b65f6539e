import { createHash } from 'node:crypto';

/** So much of a digest as tells an item from all others, in hexadecimal digits; the index of items has as many. */
const idLength = 32;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, idLength);

/** Stands for an item's address, which is a secret, in what people's Slack sees. */
export const itemIdOf = (url: string): string => digestOf(url);

/** Stands for one person's wish for one file. */
export const downloadIdOf = (person: string, url: string, name: string): string =>
  digestOf(JSON.stringify([person, url, name]));

/** Stands for a file within its item: names are of any length, and their order may change. */
export const fileIdOf = (name: string): string => digestOf(name).slice(0, 16);
