import { expect, test } from 'vitest';
import { expectRefusal, inMessage, rich, richText } from './helper.ts';
import { leaves } from './specimens.ts';

const leaf = '/blocks/0/elements/0/elements/0';
const line = { type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] };
const only = (one: object) => inMessage(rich(one));
const part = (one: object) => inMessage(richText(one));

test.each(Object.entries(leaves))('the leaf %s stands in sections and quotes', (_, one) => {
  expect(only(one)).toBeUndefined();
  expect(part({ type: 'rich_text_quote', elements: [one] })).toBeUndefined();
});

test('preformatted text holds text and links, nothing else', () => {
  for (const [type, one] of Object.entries(leaves)) {
    const problem = part({ type: 'rich_text_preformatted', elements: [one] });
    if (type === 'text' || type === 'link') expect(problem).toBeUndefined();
    else expectRefusal(problem, `unsupported type: ${type}`, `${leaf}/type`);
  }
});

test('a list holds sections, and says of what kind it is', () => {
  const list = (more: object) => part({ type: 'rich_text_list', style: 'bullet', elements: [line], ...more });
  expect(list({})).toBeUndefined();
  expectRefusal(list({ style: 'numbered' }), 'must be one of: bullet, ordered', '/blocks/0/elements/0/style');
  expectRefusal(list({ elements: [{ type: 'text', text: 'x' }] }), 'unsupported type: text', `${leaf}/type`);
  expectRefusal(list({ border: 2 }), 'must be one of: 0, 1', '/blocks/0/elements/0/border');
});

test('a section stands in a block, not in a section', () => {
  expectRefusal(only(line), 'unsupported type: rich_text_section', `${leaf}/type`);
  expectRefusal(part({ type: 'text', text: 'x' }), 'unsupported type: text', '/blocks/0/elements/0/type');
});

test('a space is a text here, because it stands between two others', () => {
  expect(only({ type: 'text', text: ' ' })).toBeUndefined();
});

test.each([
  ['a user', { type: 'user', user_id: '@ada' }, 'must be the id of a user', '/user_id'],
  ['a channel', { type: 'channel', channel_id: 'U012' }, 'must be the id of a channel', '/channel_id'],
  ['a user group', { type: 'usergroup', usergroup_id: 'U012' }, 'must be the id of a user group', '/usergroup_id'],
  ['a team', { type: 'team', team_id: 'U012' }, 'must be the id of a team', '/team_id'],
  ['a broadcast', { type: 'broadcast', range: 'all' }, 'must be one of: here, channel, everyone', '/range'],
  ['a colour', { type: 'color', value: 'red' }, 'must be a colour as #rrggbb', '/value'],
  ['an emoji', { type: 'emoji', name: ':wave:' }, 'must be the name of an emoji, without colons', '/name'],
  ['a link', { type: 'link', url: 'words' }, 'must be a valid URL', '/url'],
])('%s is what it says', (_, wrong, words, field) => {
  expectRefusal(only(wrong), words, `${leaf}${field}`);
});

test('a date has a timestamp in seconds and tokens that Slack knows', () => {
  const date = (format: string, timestamp = 1_700_000_000) => only({ type: 'date', timestamp, format });
  expect(date('{date_short_pretty}, {time}')).toBeUndefined();
  expectRefusal(date('someday'), 'must contain a date token', `${leaf}/format`);
  expectRefusal(date('{date_num} {year}'), 'unknown date token: {year}', `${leaf}/format`);
  expectRefusal(date('{date}', 1.5), 'must provide an integer', `${leaf}/timestamp`);
});

test('a style says something', () => {
  expectRefusal(
    only({ type: 'text', text: 'x', style: {} }),
    'must define at least one of: bold, italic, strike, underline, code',
    `${leaf}/style`,
  );
});
