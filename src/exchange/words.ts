import { load } from 'cheerio/slim';
import { bounds } from '../bounds.ts';
import { walkHtml } from './html.ts';

/** Removes an account's secrets from untrusted text. */
export type Redact = (text: string) => string;

export interface Redactor {
  redact: Redact;
  /** Adds a token. The last ten are remembered, because a service can echo an earlier one. */
  learn(token: string): void;
}

export function createRedactor(secrets: readonly string[]): Redactor {
  const fixed = secrets.flatMap(spellings);
  let tokens: string[] = [];
  return {
    redact(text) {
      // Longest first, because one can contain another. An empty or tiny secret would match everywhere.
      const known = [...fixed, ...tokens].filter((secret) => secret.length >= 4);
      known.sort((a, b) => b.length - a.length);
      // A service chooses its token and its text, and searching takes up to the product of their lengths.
      const longest = known[0]?.length ?? 0;
      const begin = text.slice(0, bounds.readWordsChars + longest);
      const redacted = known
        .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), begin)
        .replace(/(csrf-?token["']?\s*[:=]\s*["']?)[^\s"',;<>}]+/gi, '$1[secret]');
      // The end can be the beginning of a secret.
      return begin === text ? redacted : redacted.slice(0, Math.max(0, redacted.length - longest));
    },
    learn(token) {
      if (!tokens.includes(token)) tokens = [...tokens, token].slice(-10);
    },
  };
}

/** A secret as written in plain text, in JSON and in a URL. */
function spellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

const shown = 200;

/** One line for a message: white space folded, control characters removed, cut at 200 characters. */
export function shorten(text: string): string {
  const line = text
    .slice(0, bounds.readWordsChars)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = Array.from(line.slice(0, shown * 2));
  return line.length <= shown ? line : `${characters.slice(0, shown - 1).join('')}…`;
}

/** The readable text of an answer in HTML, JSON or plain text. */
export function wordsOf(body: string): string {
  if (!/^\s*</.test(body)) return body;
  let words = '';
  let title = '';
  walkHtml(body, {
    tag(text, end) {
      if (title === '' && /^<title/i.test(text)) title = body.slice(end, end + 2_000).split('<', 1)[0] ?? '';
    },
    text(text) {
      if (words.length < 2_000) words += ` ${text}`;
    },
  });
  // There are no tags left, so this only decodes entities.
  return load((words.trim() || title).slice(0, 2_000), null, false).text();
}
