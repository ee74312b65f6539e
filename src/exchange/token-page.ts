import { load } from 'cheerio';

/**
 * Finds the token on the account's page as a browser would: comments, scripts and templates hold none, attributes come
 * in any order, quoting and case, entities are decoded. A hidden input goes before others of that name.
 */
export function findToken(html: string): string | undefined {
  const $ = load(html);
  const inputs = $('input[name="csrftoken" i]').toArray();
  const hidden = inputs.filter((input) => $(input).attr('type')?.toLowerCase() === 'hidden');
  for (const input of [...hidden, ...inputs]) {
    const value = $(input).attr('value')?.trim();
    if (value) return value;
  }
  return undefined;
}

/** A token travels in a header: visible characters of ASCII, nothing that could end the line. */
export function isToken(value: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(value);
}
