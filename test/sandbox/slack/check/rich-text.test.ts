import { expect, test } from 'vitest';
import { leaves } from './examples.ts';
import { checkInMessage, expectRefusal, richSection, richText } from './helper.ts';

const leaf = '/blocks/0/elements/0/elements/0';
const line = { type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] };
const withLeaf = (one: object) => checkInMessage(richSection(one));
const withElement = (one: object) => checkInMessage(richText(one));

test.each(Object.entries(leaves))('the rich text element %s is allowed in sections', (_, one) => {
  expect(withLeaf(one)).toBeUndefined();
});

test.each(['rich_text_quote', 'rich_text_preformatted'])(
  "the rich text element %s is refused, because the bot doesn't use it",
  (type) => {
    expectRefusal(
      withElement({ type, elements: [leaves.text] }),
      `unsupported type: ${type}`,
      '/blocks/0/elements/0/type',
    );
  },
);

test('a rich text list with an unknown style or border, or a bare text, is refused', () => {
  const list = (more: object) => withElement({ type: 'rich_text_list', style: 'bullet', elements: [line], ...more });
  expect(list({})).toBeUndefined();
  expectRefusal(list({ style: 'numbered' }), 'must be one of: bullet, ordered', '/blocks/0/elements/0/style');
  expectRefusal(list({ elements: [{ type: 'text', text: 'x' }] }), 'unsupported type: text', `${leaf}/type`);
  expectRefusal(list({ border: 2 }), 'must be one of: 0, 1', '/blocks/0/elements/0/border');
});

test("rich text sections can't be nested, and texts need a section", () => {
  expectRefusal(withLeaf(line), 'unsupported type: rich_text_section', `${leaf}/type`);
  expectRefusal(withElement({ type: 'text', text: 'x' }), 'unsupported type: text', '/blocks/0/elements/0/type');
});

test('a text of one space is allowed, because it separates other elements', () => {
  expect(withLeaf({ type: 'text', text: ' ' })).toBeUndefined();
});

test.each([
  ['a user', { type: 'user', user_id: '@ada' }, 'must be the id of a user', '/user_id'],
  ['a channel', { type: 'channel', channel_id: 'U012' }, 'must be the id of a channel', '/channel_id'],
  ['a link', { type: 'link', url: 'words' }, 'must be a valid URL', '/url'],
])('a rich text element for %s with an invalid value is refused', (_, wrong, message, field) => {
  expectRefusal(withLeaf(wrong), message, `${leaf}${field}`);
});

test('a rich text date needs a timestamp in seconds and known tokens', () => {
  const date = (format: string, timestamp = 1_700_000_000) => withLeaf({ type: 'date', timestamp, format });
  expect(date('{date_short_pretty}, {time}')).toBeUndefined();
  expectRefusal(date('someday'), 'must contain a date token', `${leaf}/format`);
  expectRefusal(date('{date_num} {year}'), 'unknown date token: {year}', `${leaf}/format`);
  expectRefusal(date('{date}', 1.5), 'must provide an integer', `${leaf}/timestamp`);
});

test("a rich text style can't be empty", () => {
  expectRefusal(
    withLeaf({ type: 'text', text: 'x', style: {} }),
    'must define at least one of: bold, italic, strike, underline, code',
    `${leaf}/style`,
  );
});
