import { load } from 'cheerio/slim';
import { bounds } from '../lib/bounds.ts';
import { walkHtml } from './html.ts';

/** Removes an account's secrets from untrusted text. Returns only the start of a long text. */
export type Redact = (text: string) => string;

export function createRedactor(secrets: readonly string[]) {
  const fixedSecrets = secrets.flatMap(spellings);
  let tokens: string[] = [];
  return {
    redact(text: string): string {
      // Longest first, because a secret can contain another. Very short ones are skipped: they would match everywhere.
      const allSecrets = [...fixedSecrets, ...tokens].filter((secret) => secret.length >= 4);
      allSecrets.sort((a, b) => b.length - a.length);
      // The service chooses both its token and its text, and the search can take a time proportional to the product of
      // their lengths. So only the start of a long text is searched.
      const longest = allSecrets[0]?.length ?? 0;
      const start = text.slice(0, bounds.serviceTextChars + longest);
      const redacted = allSecrets
        .reduce((result, secret) => result.replaceAll(secret, '[secret]'), start)
        .replace(/(csrf-?token["']?\s*[:=]\s*["']?)[^\s"',;<>}]+/gi, '$1[secret]');
      // The cut can split a secret, so the last characters are removed: as many as the longest secret has.
      return start === text ? redacted : redacted.slice(0, Math.max(0, redacted.length - longest));
    },
    /** Adds a token. The last ten are remembered, because a service can echo an earlier one. */
    addToken(token: string): void {
      if (!tokens.includes(token)) tokens = [...tokens, token].slice(-10);
    },
  };
}

/** A secret as written in plain text, in JSON and in a URL. */
function spellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

const maxShown = 200;

/** One line for a message: white space collapsed, control characters removed, at most 200 characters. */
export function shorten(text: string): string {
  const line = text
    .slice(0, bounds.serviceTextChars)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = Array.from(line.slice(0, maxShown * 2));
  return line.length <= maxShown ? line : `${characters.slice(0, maxShown - 1).join('')}…`;
}

/** The readable text of an answer in HTML, JSON or plain text. */
export function readableText(body: string): string {
  if (!/^\s*</.test(body)) return body;
  let visibleText = '';
  let title = '';
  walkHtml(body, {
    tag(text, end) {
      if (title === '' && /^<title/i.test(text)) title = body.slice(end, end + 2_000).split('<', 1)[0] ?? '';
    },
    text(text) {
      if (visibleText.length < 2_000) visibleText += ` ${text}`;
    },
  });
  // There are no tags left, so this only decodes entities.
  return load((visibleText.trim() || title).slice(0, 2_000), null, false).text();
}
