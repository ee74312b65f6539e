import { randomBytes, randomInt } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** An id in Slack's format: a prefix for its kind and ten characters. */
export function newId(prefix: 'A' | 'B' | 'C' | 'D' | 'E' | 'Ev' | 'F' | 'T' | 'U' | 'V'): string {
  return prefix + Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('');
}

/** For a block or an element that was sent without an id. */
export function shortId(): string {
  return randomBytes(4).toString('base64url').slice(0, 5);
}

export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Message timestamps: strictly increasing, whatever the clock says. */
export function createTimestamps(clock: () => number): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(clock() * 1000));
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, '0')}`;
  };
}
