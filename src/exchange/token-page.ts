import { load } from 'cheerio/slim';
import { bounds } from '../lib/bounds.ts';
import { walkHtml } from './html.ts';

/**
 * Finds the token on the account page as a browser would: ignores comments, scripts and templates, accepts attributes
 * in any order, quoting and case, and decodes entities. Prefers a hidden input to other inputs of that name.
 */
export function findToken(html: string): string | undefined {
  const hidden: string[] = [];
  const others: string[] = [];
  let checked = 0;
  walkHtml(html, {
    tag(text) {
      if (!/^<input[\s/]/i.test(text) || !/csrftoken/i.test(text)) return;
      checked += 1;
      if (checked > bounds.tokenFields) return;
      const input = load(text, null, false)('input[name="csrftoken" i]');
      const value = input.attr('value')?.trim();
      if (value) (input.attr('type')?.toLowerCase() === 'hidden' ? hidden : others).push(value);
    },
  });
  return hidden[0] ?? others[0];
}

/** A token is sent in a header, so it must be visible ASCII, without line breaks. */
export function isToken(value: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(value);
}
