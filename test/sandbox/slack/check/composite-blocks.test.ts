import { expect, test } from 'vitest';
import { cell, divider, expectRefusal, inMessage, mrkdwn, plain, refusal, rich, section } from './helper.ts';
import { image } from './specimens.ts';

const textBlock = rich({ type: 'text', text: 'x' });
const dataTable = (rows: unknown[], more: object = {}) =>
  inMessage({ type: 'data_table', caption: 'Files', rows, ...more });

test('a section needs a text or fields', () => {
  expect(inMessage({ type: 'section', fields: [plain()] })).toBeUndefined();
  expectRefusal(inMessage({ type: 'section' }), 'must define at least one of: text, fields', '/blocks/0');
  expect(inMessage(section({ fields: [plain()] }))).toBeUndefined();
});

test('a header cell of a data table cannot be rich text', () => {
  expect(dataTable([[cell()], [textBlock]])).toBeUndefined();
  expectRefusal(
    dataTable([
      [cell(), textBlock],
      [cell(), cell()],
    ]),
    'a header cell cannot be rich_text',
    '/blocks/0/rows/0/1',
  );
});

test('all rows of a data table have the same number of cells', () => {
  const uneven = dataTable([[cell(), cell()], [cell(), cell()], [cell()]]);
  expectRefusal(uneven, 'all rows must have the same number of values', '/blocks/0/rows/2');
});

test('the row header column must be one of the columns', () => {
  const rows = [
    [cell(), cell()],
    [cell(), cell()],
  ];
  expect(dataTable(rows, { row_header_column_index: 1 })).toBeUndefined();
  const beyond = dataTable(rows, { row_header_column_index: 2 });
  expectRefusal(beyond, 'must be the index of a column', '/blocks/0/row_header_column_index');
});

test('a data table needs a caption', () => {
  const problem = inMessage({ type: 'data_table', rows: [[cell()], [cell()]] });
  expectRefusal(problem, 'missing required field: caption', '/blocks/0');
});

test('a number cell needs a number and the text that shows it', () => {
  const number = (more: object) => inMessage({ type: 'table', rows: [[{ type: 'raw_number', ...more }]] });
  expect(number({ value: -1.5, text: '-1.5' })).toBeUndefined();
  expectRefusal(number({ value: '1', text: '1' }), 'must provide a number', '/blocks/0/rows/0/0/value');
  expectRefusal(number({ value: 1 }), 'missing required field: text', '/blocks/0/rows/0/0');
});

test('a cell cannot be a text object', () => {
  const problem = inMessage({ type: 'table', rows: [[plain()]] });
  expectRefusal(problem, 'unsupported type: plain_text', '/blocks/0/rows/0/0/type');
});

test('a card needs an image, a title, actions or a body', () => {
  expect(inMessage({ type: 'card', hero_image: image })).toBeUndefined();
  expectRefusal(
    inMessage({ type: 'card', icon: image, subtitle: mrkdwn() }),
    'must define at least one of: hero_image, title, actions, body',
    '/blocks/0',
  );
});

test('a container needs a title, and starts collapsed only if it is collapsible', () => {
  const container = (more: object) => inMessage({ type: 'container', child_blocks: [divider()], ...more });
  expect(container({ rich_text_title: textBlock })).toBeUndefined();
  expectRefusal(container({}), 'must define at least one of: title, rich_text_title', '/blocks/0');
  const collapsed = container({ title: plain(), default_collapsed: true });
  expectRefusal(collapsed, 'requires is_collapsible', '/blocks/0/default_collapsed');
});

test('a task needs a title, a status and an id that is unique in its plan', () => {
  const task = (more: object) => ({ type: 'task_card', task_id: 'one', title: 'Upload', status: 'pending', ...more });
  expect(inMessage({ type: 'plan', title: 'Send', tasks: [task({}), task({ task_id: 'two' })] })).toBeUndefined();
  const duplicates = inMessage({ type: 'plan', title: 'Send', tasks: [task({}), task({})] });
  expectRefusal(duplicates, 'duplicate `task_id`', '/blocks/0/tasks/1/task_id');
  expect(inMessage({ type: 'task_card' })?.messages).toEqual(
    ['task_id', 'title', 'status'].map((name) => refusal(`missing required field: ${name}`, '/blocks/0')),
  );
});
