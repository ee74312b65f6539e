import { expect, test } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/slack/check/index.ts';
import { actions, button, checkInMessage, divider, letters, refusal, section, times } from './helper.ts';

const code = (error: string) => ({ error, messages: [] });

test.each([
  ['a text', { text: 'words' }],
  ['blocks', { blocks: [divider()] }],
  ['a text with empty blocks', { text: 'words', blocks: [] }],
])('a message can consist of %s', (_, message) => {
  expect(checkMessage(message)).toBeUndefined();
});

test.each([
  ['neither text nor blocks', {}],
  ['an empty text', { text: '' }],
  ['only spaces', { text: ' \n' }],
  ['an empty list of blocks', { blocks: [] }],
])('a message with %s is refused as no_text', (_, message) => {
  expect(checkMessage(message)).toEqual(code('no_text'));
});

test.each(['attachments', 'markdown_text', 'metadata'])(
  "messages with %s are refused, because the bot doesn't use them",
  (name) => {
    expect(checkMessage({ text: 'words', [name]: [] })).toEqual({
      error: 'invalid_arguments',
      messages: [refusal(`${name} is not supported by this sandbox`, `/${name}`)],
    });
  },
);

// Slack can split a longer text, and refuses to update a message with it.
test('the text of a message has at most 4,000 characters', () => {
  expect(checkMessage({ text: letters(4000) })).toBeUndefined();
  expect(checkMessage({ text: letters(4001) })).toEqual(code('msg_too_long'));
});

test('the blocks of a message have at most 13,000 characters, including ids', () => {
  const text = (length: number) => section({ text: { type: 'plain_text', text: letters(length) } });
  const four = times(4, () => text(3000));
  expect(checkInMessage(...four, text(1000))).toBeUndefined();
  expect(checkInMessage(...four, text(1001))).toEqual(code('msg_blocks_too_long'));
  expect(checkInMessage(...four, text(999), divider({ block_id: 'b' }))).toBeUndefined();
  expect(checkInMessage(...four, text(999), divider({ block_id: 'bb' }))).toEqual(code('msg_blocks_too_long'));
});

test('message arguments of the wrong type are refused', () => {
  expect(checkMessage({ text: 5 })).toEqual({
    error: 'invalid_arguments',
    messages: ['[ERROR] must provide a string [json-pointer:/text]'],
  });
  expect(checkMessage({ text: 'half a \ud83d character' })?.error).toBe('invalid_arguments');
  expect(checkMessage({ text: 'words', blocks: {} })).toEqual(code('invalid_blocks_format'));
  expect(checkMessage({ text: 'words', blocks: '[]' })).toEqual(code('invalid_blocks_format'));
});

test('an invalid block of a message is reported with a JSON pointer', () => {
  expect(checkInMessage(divider(), actions(button({ text: { type: 'plain_text', text: letters(76) } })))).toEqual({
    error: 'invalid_blocks',
    messages: ['[ERROR] must be less than 76 characters [json-pointer:/blocks/1/elements/0/text/text]'],
  });
});
