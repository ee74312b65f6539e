import { expect, test } from 'vitest';
import * as examples from './examples.ts';
import {
  actions,
  button,
  checkInHome,
  checkInMessage,
  checkInModal,
  divider,
  expectRefusal,
  input,
  richSection,
  section,
} from './helper.ts';

const { commonBlocks, choiceElements, clickableElements, textInputs, unusedBlocks, unusedElements, unusedLeaves } =
  examples;

const surfaces = { message: checkInMessage, modal: checkInModal, home: checkInHome };

/** The surfaces that allow each block, according to Slack's documentation. The sandbox refuses inputs in messages. */
const blocks: [type: string, block: unknown, on: string[]][] = [
  ...Object.values(commonBlocks).map((block): [string, unknown, string[]] => [
    String(Object(block).type),
    block,
    ['message', 'modal', 'home'],
  ]),
  ['input', examples.inputBlock, ['modal', 'home']],
];

test.each(blocks)('the block %s is accepted only on the surfaces that Slack allows', (type, block, on) => {
  for (const [surface, check] of Object.entries(surfaces)) {
    const pointer = surface === 'message' ? '/blocks/0/type' : '/view/blocks/0/type';
    if (on.includes(surface)) expect(check(block), surface).toBeUndefined();
    else expectRefusal(check(block), `unsupported type: ${type}`, pointer);
  }
});

test.each(unusedBlocks)('the block %s is refused, because the bot does not use it', (type) => {
  expectRefusal(checkInMessage({ type }), `unsupported type: ${type}`, '/blocks/0/type');
  expectRefusal(checkInModal({ type }), `unsupported type: ${type}`, '/view/blocks/0/type');
  expectRefusal(checkInHome({ type }), `unsupported type: ${type}`, '/view/blocks/0/type');
});

const accessory = (element: unknown) => checkInMessage(section({ accessory: element }));
const action = (element: unknown) => checkInMessage(actions(element));
const modalInput = (element: unknown) => checkInModal(input(element));
const homeInput = (element: unknown) => checkInHome(input(element));

const positions = { accessory, action, modalInput, homeInput };

/** Where each element is allowed. */
const elements: [type: string, element: unknown, at: string[]][] = [
  ...Object.entries(choiceElements).map(([type, element]): [string, unknown, string[]] => [
    type,
    element,
    ['accessory', 'action', 'modalInput', 'homeInput'],
  ]),
  ...Object.entries(clickableElements).map(([type, element]): [string, unknown, string[]] => [
    type,
    element,
    ['accessory', 'action'],
  ]),
  ...Object.entries(textInputs).map(([type, element]): [string, unknown, string[]] => [
    type,
    element,
    ['modalInput', 'homeInput'],
  ]),
  ['file_input', examples.fileInput, ['modalInput']],
];

test.each(elements)('the element %s is accepted only where Slack allows it', (_, element, at) => {
  for (const [path, check] of Object.entries(positions)) {
    if (at.includes(path)) expect(check(element), path).toBeUndefined();
    else expect(check(element)?.messages, path).toEqual([expect.stringContaining('unsupported type: ')]);
  }
});

test.each(unusedElements)('the element %s is refused, because the bot does not use it', (type) => {
  expectRefusal(action({ type }), `unsupported type: ${type}`, '/blocks/0/elements/0/type');
  expectRefusal(accessory({ type }), `unsupported type: ${type}`, '/blocks/0/accessory/type');
  expectRefusal(modalInput({ type }), `unsupported type: ${type}`, '/view/blocks/0/element/type');
});

test.each(unusedLeaves)("the rich text element %s is refused, because the bot doesn't use it", (type) => {
  expectRefusal(
    checkInMessage(richSection({ type })),
    `unsupported type: ${type}`,
    '/blocks/0/elements/0/elements/0/type',
  );
});

test("an element can't be used as a block, nor a block as an element", () => {
  expectRefusal(checkInMessage(button()), 'unsupported type: button', '/blocks/0/type');
  expectRefusal(action(divider()), 'unsupported type: divider', '/blocks/0/elements/0/type');
  expectRefusal(
    checkInMessage({ type: 'context', elements: [button()] }),
    'unsupported type: button',
    '/blocks/0/elements/0/type',
  );
  expectRefusal(checkInModal(input(divider())), 'unsupported type: divider', '/view/blocks/0/element/type');
});

test('the block_ids of a message or modal are unique', () => {
  const duplicated = divider({ block_id: 'duplicated' });
  const duplicate = 'duplicate `block_id`';
  expect(checkInMessage(duplicated, divider({ block_id: 'other' }))).toBeUndefined();
  expectRefusal(checkInMessage(duplicated, divider(), duplicated), duplicate, '/blocks/2/block_id');
  expectRefusal(checkInModal(duplicated, duplicated), duplicate, '/view/blocks/1/block_id');
});

test('action_ids are unique within a block, but not across blocks', () => {
  const duplicated = button({ action_id: 'duplicated' });
  const duplicate = 'duplicate `action_id`';
  expect(checkInMessage(actions(duplicated), actions(duplicated))).toBeUndefined();
  expect(checkInMessage(actions(button(), button()))).toBeUndefined();
  expectRefusal(checkInMessage(actions(duplicated, button(), duplicated)), duplicate, '/blocks/0/elements/2/action_id');
});
