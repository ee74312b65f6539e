import { expect, test } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/slack/check/index.ts';
import { actions, button, cell, divider, expectRefusal, inMessage, letters, section, times } from './helper.ts';

const code = (error: string) => ({ error, messages: [] });
const markdown = (length: number) => ({ type: 'markdown', text: letters(length) });
const table = (length: number) => ({ type: 'table', rows: [[cell(letters(length))]] });
const dataTable = () => ({ type: 'data_table', caption: 'Files', rows: [[cell()], [cell()]] });

test.each([
  ['a text', { text: 'words' }],
  ['blocks', { blocks: [divider()] }],
  ['an attachment', { attachments: [{ text: 'words' }] }],
  ['markdown', { markdown_text: '# words' }],
  ['a text with empty blocks and attachments', { text: 'words', blocks: [], attachments: [] }],
])('a message can be %s', (_, message) => {
  expect(checkMessage(message)).toBeUndefined();
});

test.each([
  ['nothing', {}],
  ['an empty text', { text: '' }],
  ['spaces', { text: ' \n' }],
  ['empty lists', { blocks: [], attachments: [] }],
])('a message of %s is refused as no_text', (_, message) => {
  expect(checkMessage(message)).toEqual(code('no_text'));
});

// Slack can split a longer text, or not update it.
test('a text has at most 4,000 characters', () => {
  expect(checkMessage({ text: letters(4000) })).toBeUndefined();
  expect(checkMessage({ text: letters(4001) })).toEqual(code('msg_too_long'));
});

test('markdown_text has at most 12,000 characters', () => {
  expect(checkMessage({ markdown_text: letters(12_000) })).toBeUndefined();
  expect(checkMessage({ markdown_text: letters(12_001) })).toEqual(code('msg_too_long'));
});

test('markdown_text cannot be combined with text or blocks', () => {
  const markdown_text = 'words';
  expect(checkMessage({ markdown_text, text: 'words' })).toEqual(code('markdown_text_conflict'));
  expect(checkMessage({ markdown_text, blocks: [divider()] })).toEqual(code('markdown_text_conflict'));
});

test('markdown blocks have at most 12,000 characters together', () => {
  expect(inMessage(markdown(6000), markdown(6000))).toBeUndefined();
  const problem = inMessage(markdown(6000), markdown(6001));
  expectRefusal(problem, 'markdown blocks must be less than 12001 characters together', '/blocks');
});

test('a message has at most one table of either kind, wherever it is', () => {
  const two = { error: 'invalid_attachments', messages: ['[ERROR] only_one_table_allowed'] };
  const container = { type: 'container', title: { type: 'plain_text', text: 'x' }, child_blocks: [table(1)] };
  expect(inMessage(table(1))).toBeUndefined();
  expect(inMessage(dataTable())).toBeUndefined();
  expect(inMessage(table(1), table(1))).toEqual(two);
  expect(inMessage(table(1), dataTable())).toEqual(two);
  expect(inMessage(container, dataTable())).toEqual(two);
  expect(checkMessage({ blocks: [table(1)], attachments: [{ blocks: [table(1)] }] })).toEqual(two);
});

test('a table has at most 10,000 characters in total', () => {
  const rows = (last: number) => [[cell(letters(4000)), cell(letters(4000))], [cell(letters(last))]];
  expect(inMessage({ type: 'table', rows: rows(2000) })).toBeUndefined();
  const problem = inMessage({ type: 'table', rows: rows(2001) });
  expectRefusal(problem, 'tables must be less than 10001 characters together', '/blocks');
});

test('the blocks of a message have at most 13,000 characters, including ids', () => {
  const text = (length: number) => section({ text: { type: 'plain_text', text: letters(length) } });
  const four = times(4, () => text(3000));
  expect(inMessage(...four, text(1000))).toBeUndefined();
  expect(inMessage(...four, text(1001))).toEqual(code('msg_blocks_too_long'));
  expect(inMessage(...four, text(999), divider({ block_id: 'b' }))).toBeUndefined();
  expect(inMessage(...four, text(999), divider({ block_id: 'bb' }))).toEqual(code('msg_blocks_too_long'));
  expect(checkMessage({ blocks: four, attachments: [{ blocks: [text(1001)] }] })).toEqual(code('msg_blocks_too_long'));
});

test('a message has at most 100 attachments', () => {
  const attachments = (count: number) => checkMessage({ attachments: times(count, () => ({ text: 'words' })) });
  expect(attachments(100)).toBeUndefined();
  expect(attachments(101)).toEqual(code('too_many_attachments'));
});

test('arguments of the wrong type are refused', () => {
  expect(checkMessage({ text: 5 })).toEqual({
    error: 'invalid_arguments',
    messages: ['[ERROR] must provide a string [json-pointer:/text]'],
  });
  expect(checkMessage({ markdown_text: {} })?.error).toBe('invalid_arguments');
  expect(checkMessage({ text: 'half a \ud83d character' })?.error).toBe('invalid_arguments');
  expect(checkMessage({ text: 'words', blocks: {} })).toEqual(code('invalid_blocks_format'));
  expect(checkMessage({ text: 'words', blocks: '[]' })).toEqual(code('invalid_blocks_format'));
  expect(checkMessage({ text: 'words', attachments: {} })?.error).toBe('invalid_attachments');
});

test('an invalid block is reported with a pointer', () => {
  expect(inMessage(divider(), actions(button({ text: { type: 'plain_text', text: letters(76) } })))).toEqual({
    error: 'invalid_blocks',
    messages: ['[ERROR] must be less than 76 characters [json-pointer:/blocks/1/elements/0/text/text]'],
  });
});

test('an invalid block of an attachment is reported with a pointer', () => {
  expect(checkMessage({ attachments: [{ blocks: [{ type: 'header' }] }] })).toEqual({
    error: 'invalid_attachments',
    messages: ['[ERROR] missing required field: text [json-pointer:/attachments/0/blocks/0]'],
  });
});

test('attachments with legacy, unknown or invalid fields are refused', () => {
  expect(checkMessage({ attachments: [{ callback_id: 'a', actions: [] }] })?.messages).toHaveLength(2);
  expect(checkMessage({ attachments: [{ colour: 'good' }] })?.error).toBe('invalid_attachments');
  expect(checkMessage({ attachments: [{ text: 'x', color: 'green' }] })?.error).toBe('invalid_attachments');
  expect(checkMessage({ attachments: [{ text: 'x', color: '#00ff00', footer: letters(301) }] })?.messages).toEqual([
    '[ERROR] must be less than 301 characters [json-pointer:/attachments/0/footer]',
  ]);
});

test('metadata is an event with a payload one level deep', () => {
  const check = (metadata: unknown) => checkMessage({ text: 'words', metadata });
  const payload = { id: 'x', size: 5, read: false, of: { name: 'x' }, files: [{ name: 'x' }, {}] };
  expect(check({ event_type: 'inbox_item', event_payload: payload })).toBeUndefined();
  expect(check('inbox_item')).toEqual(code('invalid_metadata_format'));
  for (const wrong of [
    {},
    { event_type: 'inbox item', event_payload: {} },
    { event_type: 'inbox_item', event_payload: [] },
    { event_type: 'inbox_item', event_payload: { deep: { deeper: {} } } },
    { event_type: 'inbox_item', event_payload: { list: ['x'] } },
    { event_type: 'inbox_item', event_payload: { nothing: null } },
    { event_type: 'inbox_item', event_payload: {}, entities: [] },
  ]) {
    expect(check(wrong)?.error, JSON.stringify(wrong)).toBe('invalid_metadata_schema');
  }
});
