import { load } from 'cheerio';

/** Takes an account's secrets out of a text that a stranger wrote. */
export type Redact = (text: string) => string;

export interface Redactor {
  redact: Redact;
  /** Adds a token; the last few are remembered, since a service may repeat an earlier one. */
  learn(token: string): void;
}

export function createRedactor(secrets: readonly string[]): Redactor {
  const tokens: string[] = [];
  return {
    redact(text) {
      // The longest first: one may contain another. An empty or tiny one would take every text to pieces.
      const known = [...secrets, ...tokens].filter((secret) => secret.length >= 4);
      known.sort((a, b) => b.length - a.length);
      return known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
    },
    learn(token) {
      if (tokens.includes(token)) return;
      tokens.push(token);
      if (tokens.length > 10) tokens.shift();
    },
  };
}

const shown = 200;

/** A line that fits into a message: white space folded, control characters gone, cut at 200 characters. */
export function shorten(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = Array.from(line.slice(0, shown * 2));
  return line.length <= shown ? line : `${characters.slice(0, shown - 1).join('')}…`;
}

/** What an answer says to a person, whatever it is written in: HTML, JSON or plain text. */
export function wordsOf(body: string): string {
  if (/^\s*</.test(body)) {
    const $ = load(body);
    $('script, style').remove();
    return $('body').text().trim() || $('title').text();
  }
  return body;
}
