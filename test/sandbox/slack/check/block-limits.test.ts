import { expect, test } from 'vitest';
import {
  actions,
  button,
  cell,
  divider,
  expectRefusal,
  inHome,
  inMessage,
  inModal,
  input,
  letters,
  mrkdwn,
  option,
  plain,
  refusal,
  richText,
  section,
  testCharacters,
  testItems,
  testNumber,
  times,
} from './helper.ts';

const imageBlock = (more: object) => ({
  type: 'image',
  alt_text: 'a cat',
  image_url: 'https://example.org/cat',
  ...more,
});
const address = (length: number) => `https://example.org/${letters(length - 'https://example.org/'.length)}`;
const list = (indent: number) =>
  richText({
    type: 'rich_text_list',
    style: 'bullet',
    indent,
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
  });

testItems('blocks of a message', 50, '/blocks', (n) => inMessage(...times(n, () => divider())));
testItems('blocks of a modal', 100, '/view/blocks', (n) => inModal(...times(n, () => divider())));
testItems('blocks of a Home tab', 100, '/view/blocks', (n) => inHome(...times(n, () => divider())));
testCharacters('a block_id', 255, '/blocks/0/block_id', (n) => inMessage(divider({ block_id: letters(n) })));
testCharacters('an action_id', 255, '/blocks/0/elements/0/action_id', (n) =>
  inMessage(actions(button({ action_id: letters(n) }))),
);
testCharacters('a text object', 3000, '/blocks/0/elements/0/text', (n) =>
  inMessage({ type: 'context', elements: [mrkdwn(letters(n))] }),
);
testCharacters('the text of a section', 3000, '/blocks/0/text/text', (n) =>
  inMessage(section({ text: plain(letters(n)) })),
);
testItems('the fields of a section', 10, '/blocks/0/fields', (n) =>
  inMessage(section({ fields: times(n, () => plain()) })),
);
testCharacters('a field of a section', 2000, '/blocks/0/fields/0/text', (n) =>
  inMessage(section({ fields: [plain(letters(n))] })),
);
testCharacters('a header', 150, '/blocks/0/text/text', (n) => inMessage({ type: 'header', text: plain(letters(n)) }));
testItems('the elements of a context', 10, '/blocks/0/elements', (n) =>
  inMessage({ type: 'context', elements: times(n, () => plain()) }),
);
testItems('the elements of actions', 25, '/blocks/0/elements', (n) => inMessage(actions(...times(n, () => button()))));
testCharacters("an image's alternative text", 2000, '/blocks/0/alt_text', (n) =>
  inMessage(imageBlock({ alt_text: letters(n) })),
);
testCharacters("an image's title", 2000, '/blocks/0/title/text', (n) =>
  inMessage(imageBlock({ title: plain(letters(n)) })),
);
testCharacters("an image's URL", 3000, '/blocks/0/image_url', (n) => inMessage(imageBlock({ image_url: address(n) })));
testCharacters('the label of an input', 2000, '/view/blocks/0/label/text', (n) =>
  inModal(input({ type: 'plain_text_input' }, { label: plain(letters(n)) })),
);
testCharacters('the hint of an input', 2000, '/view/blocks/0/hint/text', (n) =>
  inModal(input({ type: 'plain_text_input' }, { hint: plain(letters(n)) })),
);
testCharacters('a markdown block', 12_000, '/blocks/0/text', (n) => inMessage({ type: 'markdown', text: letters(n) }));
testItems('the rows of a table', 100, '/blocks/0/rows', (n) =>
  inMessage({ type: 'table', rows: times(n, () => [cell()]) }),
);
testItems('the columns of a table', 20, '/blocks/0/rows/0', (n) =>
  inMessage({ type: 'table', rows: [times(n, () => cell())] }),
);
testItems('the column settings of a table', 20, '/blocks/0/column_settings', (n) =>
  inMessage({ type: 'table', rows: [[cell()]], column_settings: times(n, () => ({ align: 'left' })) }),
);
testItems('the rows of a data table, its header included', 101, '/blocks/0/rows', (n) =>
  inMessage({ type: 'data_table', caption: 'Files', rows: times(n, () => [cell()]) }),
);
testNumber('page_size of a data table', 100, '/blocks/0/page_size', (n) =>
  inMessage({ type: 'data_table', caption: 'Files', rows: [[cell()], [cell()]], page_size: n }),
);
testCharacters('the title of a card', 150, '/blocks/0/title/text', (n) =>
  inMessage({ type: 'card', title: mrkdwn(letters(n)) }),
);
testCharacters('the subtitle of a card', 150, '/blocks/0/subtitle/text', (n) =>
  inMessage({ type: 'card', title: mrkdwn(), subtitle: mrkdwn(letters(n)) }),
);
testCharacters('the body of a card', 200, '/blocks/0/body/text', (n) =>
  inMessage({ type: 'card', body: mrkdwn(letters(n)) }),
);
testItems('the buttons of a card', 2, '/blocks/0/actions', (n) =>
  inMessage({ type: 'card', actions: times(n, () => button()) }),
);
testItems('the cards of a carousel', 10, '/blocks/0/elements', (n) =>
  inMessage({ type: 'carousel', elements: times(n, () => ({ type: 'card', title: mrkdwn() })) }),
);
testItems('the blocks of a container', 10, '/blocks/0/child_blocks', (n) =>
  inMessage({ type: 'container', title: plain(), child_blocks: times(n, () => divider()) }),
);
testCharacters('the title of a container', 150, '/blocks/0/title/text', (n) =>
  inMessage({ type: 'container', title: plain(letters(n)), child_blocks: [divider()] }),
);
testCharacters('the subtitle of a container', 150, '/blocks/0/subtitle/text', (n) =>
  inMessage({ type: 'container', title: plain(), subtitle: plain(letters(n)), child_blocks: [divider()] }),
);
testItems('the elements of context actions', 5, '/blocks/0/elements', (n) =>
  inMessage({
    type: 'context_actions',
    elements: times(n, () => ({ type: 'icon_button', icon: 'trash', text: plain() })),
  }),
);
testNumber('the indent of a list', 8, '/blocks/0/elements/0/indent', (n) => inMessage(list(n)));

test('the items of a list that is too long are not checked', () => {
  const problem = inMessage(...times(50, () => divider()), { type: 'nonsense' });
  expectRefusal(problem, 'no more than 50 items allowed', '/blocks');
});

test.each([
  ['a section', section({ fields: [] }), '/blocks/0/fields'],
  ['a context', { type: 'context', elements: [] }, '/blocks/0/elements'],
  ['actions', actions(), '/blocks/0/elements'],
  ['a menu', actions({ type: 'overflow', options: [] }), '/blocks/0/elements/0/options'],
  ['a table', { type: 'table', rows: [] }, '/blocks/0/rows'],
  ['a row', { type: 'table', rows: [[]] }, '/blocks/0/rows/0'],
  ['a carousel', { type: 'carousel', elements: [] }, '/blocks/0/elements'],
  ['a container', { type: 'container', title: plain(), child_blocks: [] }, '/blocks/0/child_blocks'],
])('%s with an empty list is refused', (_, block, at) => {
  expectRefusal(inMessage(block), 'no fewer than 1 items allowed', at);
});

test('a data table needs a header and at least one row', () => {
  const table = (rows: unknown[]) => inMessage({ type: 'data_table', caption: 'Files', rows });
  expect(table([[cell()], [cell()]])).toBeUndefined();
  expectRefusal(table([[cell()]]), 'no fewer than 2 items allowed', '/blocks/0/rows');
});

test('a data table has at most 20 columns', () => {
  const table = (columns: number) =>
    inMessage({ type: 'data_table', caption: 'Files', rows: times(2, () => times(columns, () => cell())) });
  expect(table(20)).toBeUndefined();
  expect(table(21)?.messages).toEqual([
    refusal('no more than 20 items allowed', '/blocks/0/rows/0'),
    refusal('no more than 20 items allowed', '/blocks/0/rows/1'),
  ]);
});

test('a character outside the BMP counts twice, the stricter interpretation', () => {
  const header = (text: string) => inMessage({ type: 'header', text: plain(text) });
  expect(header('😀'.repeat(75))).toBeUndefined();
  expectRefusal(header('😀'.repeat(76)), 'must be less than 151 characters', '/blocks/0/text/text');
});

test('text, description and value of an option have at most 75 characters each', () => {
  const menu = (more: object) => inMessage(actions({ type: 'overflow', options: [{ ...option(), ...more }] }));
  expect(menu({ text: plain(letters(75)), description: plain(letters(75)), value: letters(75) })).toBeUndefined();
  const at = '/blocks/0/elements/0/options/0';
  expectRefusal(menu({ text: plain(letters(76)) }), 'must be less than 76 characters', `${at}/text/text`);
  expectRefusal(menu({ description: plain(letters(76)) }), 'must be less than 76 characters', `${at}/description/text`);
  expectRefusal(menu({ value: letters(76) }), 'must be less than 76 characters', `${at}/value`);
});
