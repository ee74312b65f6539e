import { expect, test } from 'vitest';
import { actions, button, expectRefusal, inMessage } from './helper.ts';

const withUrl = (url: string) => inMessage(actions(button({ url })));
const withImage = (image_url: string) => inMessage({ type: 'image', alt_text: 'a cat', image_url });

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
])('%j is not a valid URL', (url) => {
  expectRefusal(withUrl(url), 'must be a valid URL', '/blocks/0/elements/0/url');
});

test('an image has either a web address or a Slack file', () => {
  expect(withImage('http://example.org/cat')).toBeUndefined();
  expect(withImage('mailto:ada@example.org')).toBeDefined();
  const image = (more: object) => inMessage({ type: 'image', alt_text: 'a cat', ...more });
  const twoSources = { image_url: 'https://example.org/cat', slack_file: { id: 'F012' } };
  expectRefusal(image({}), 'must define exactly one of: image_url, slack_file', '/blocks/0');
  expectRefusal(image(twoSources), 'must define exactly one of: image_url, slack_file', '/blocks/0');
  expect(image({ slack_file: { url: 'https://files.slack.com/files-pri/T1-F1/cat.png' } })).toBeUndefined();
  expectRefusal(image({ slack_file: {} }), 'must define exactly one of: url, id', '/blocks/0/slack_file');
  const idAndUrl = { id: 'F012', url: 'https://files.slack.com/x' };
  expectRefusal(image({ slack_file: idAndUrl }), 'must define exactly one of: url, id', '/blocks/0/slack_file');
});
