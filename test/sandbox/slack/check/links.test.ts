import { expect, test } from 'vitest';
import { actions, button, checkInMessage, expectRefusal } from './helper.ts';

const withUrl = (url: string) => checkInMessage(actions(button({ url })));

test.each([
  'https://example.org/a?b#c',
  'http://example.org',
  'mailto:ada@example.org',
  'tel:+46700000001',
  'slack://open',
])('a button can link to %s', (url) => {
  expect(withUrl(url)).toBeUndefined();
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'ftp://example.org'])(
  'a button cannot link to %s',
  (url) => {
    expect(withUrl(url)?.messages).toEqual([expect.stringContaining('must be a URL that begins with')]);
  },
);

test.each([
  'example.org',
  '/path',
  'https://',
  'https://exa mple.org',
  'https://example.org/\n',
  ' https://example.org',
])('%j is not a valid URL for a button', (url) => {
  expectRefusal(withUrl(url), 'must be a valid URL', '/blocks/0/elements/0/url');
});
