import { expect, test } from 'vitest';
import {
  actions,
  button,
  checkInHome,
  checkInMessage,
  checkInModal,
  divider,
  expectRefusal,
  input,
  letters,
  mrkdwn,
  option,
  plain,
  richText,
  section,
  testCharacters,
  testItems,
  testNumber,
  times,
} from './helper.ts';

const list = (indent: number) =>
  richText({
    type: 'rich_text_list',
    style: 'bullet',
    indent,
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
  });

testItems('blocks of a message', 50, '/blocks', (n) => checkInMessage(...times(n, () => divider())));
testItems('blocks of a modal', 100, '/view/blocks', (n) => checkInModal(...times(n, () => divider())));
testItems('blocks of a Home tab', 100, '/view/blocks', (n) => checkInHome(...times(n, () => divider())));
testCharacters('a block_id', 255, '/blocks/0/block_id', (n) => checkInMessage(divider({ block_id: letters(n) })));
testCharacters('an action_id', 255, '/blocks/0/elements/0/action_id', (n) =>
  checkInMessage(actions(button({ action_id: letters(n) }))),
);
testCharacters('a text object', 3000, '/blocks/0/elements/0/text', (n) =>
  checkInMessage({ type: 'context', elements: [mrkdwn(letters(n))] }),
);
testCharacters('the text of a section', 3000, '/blocks/0/text/text', (n) =>
  checkInMessage(section({ text: plain(letters(n)) })),
);
testItems('the fields of a section', 10, '/blocks/0/fields', (n) =>
  checkInMessage(section({ fields: times(n, () => plain()) })),
);
testCharacters('a field of a section', 2000, '/blocks/0/fields/0/text', (n) =>
  checkInMessage(section({ fields: [plain(letters(n))] })),
);
testCharacters('a header', 150, '/blocks/0/text/text', (n) =>
  checkInMessage({ type: 'header', text: plain(letters(n)) }),
);
testItems('the elements of a context', 10, '/blocks/0/elements', (n) =>
  checkInMessage({ type: 'context', elements: times(n, () => plain()) }),
);
testItems('the elements of actions', 25, '/blocks/0/elements', (n) =>
  checkInMessage(actions(...times(n, () => button()))),
);
testCharacters('the label of an input', 2000, '/view/blocks/0/label/text', (n) =>
  checkInModal(input({ type: 'plain_text_input' }, { label: plain(letters(n)) })),
);
testCharacters('the hint of an input', 2000, '/view/blocks/0/hint/text', (n) =>
  checkInModal(input({ type: 'plain_text_input' }, { hint: plain(letters(n)) })),
);
testNumber('the indent of a list', 8, '/blocks/0/elements/0/indent', (n) => checkInMessage(list(n)));

test("the checks ignore the items of a list beyond the list's limit", () => {
  const problem = checkInMessage(...times(50, () => divider()), { type: 'nonsense' });
  expectRefusal(problem, 'no more than 50 items allowed', '/blocks');
});

test.each([
  ['a section', section({ fields: [] }), '/blocks/0/fields'],
  ['a context', { type: 'context', elements: [] }, '/blocks/0/elements'],
  ['actions', actions(), '/blocks/0/elements'],
  ['a menu', actions({ type: 'overflow', options: [] }), '/blocks/0/elements/0/options'],
])('%s with an empty list is refused', (_, block, at) => {
  expectRefusal(checkInMessage(block), 'no fewer than 1 items allowed', at);
});

test('a character outside the BMP counts as two characters', () => {
  const header = (text: string) => checkInMessage({ type: 'header', text: plain(text) });
  expect(header('😀'.repeat(75))).toBeUndefined();
  expectRefusal(header('😀'.repeat(76)), 'must be less than 151 characters', '/blocks/0/text/text');
});

test('text, description and value of an option have at most 75 characters each', () => {
  const menu = (more: object) => checkInMessage(actions({ type: 'overflow', options: [{ ...option(), ...more }] }));
  expect(menu({ text: plain(letters(75)), description: plain(letters(75)), value: letters(75) })).toBeUndefined();
  const at = '/blocks/0/elements/0/options/0';
  expectRefusal(menu({ text: plain(letters(76)) }), 'must be less than 76 characters', `${at}/text/text`);
  expectRefusal(menu({ description: plain(letters(76)) }), 'must be less than 76 characters', `${at}/description/text`);
  expectRefusal(menu({ value: letters(76) }), 'must be less than 76 characters', `${at}/value`);
});
