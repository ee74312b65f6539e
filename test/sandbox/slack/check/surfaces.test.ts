import { expect, test } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/slack/check/index.ts';
import {
  actions,
  button,
  divider,
  expectRefusal,
  inHome,
  inMessage,
  inModal,
  input,
  mrkdwn,
  plain,
  section,
} from './helper.ts';
import * as specimens from './specimens.ts';

const { everywhere, messageOnly, choiceElements, clickable, typed } = specimens;

const surfaces = { message: inMessage, modal: inModal, home: inHome };

/** Where each block is allowed, by Slack's table of blocks. Inputs in messages are left out on purpose. */
const blocks: [type: string, block: unknown, on: string[]][] = [
  ...Object.values(everywhere).map((block): [string, unknown, string[]] => [
    String(Object(block).type),
    block,
    ['message', 'modal', 'home'],
  ]),
  ...Object.entries(messageOnly).map(([type, block]): [string, unknown, string[]] => [type, block, ['message']]),
  ['input', specimens.inputBlock, ['modal', 'home']],
  ['alert', specimens.alert, ['modal']],
  ['carousel', specimens.carousel, ['message', 'home']],
];

test.each(blocks)('the block %s is accepted only on its surfaces', (type, block, on) => {
  for (const [surface, check] of Object.entries(surfaces)) {
    const pointer = surface === 'message' ? '/blocks/0/type' : '/view/blocks/0/type';
    if (on.includes(surface)) expect(check(block), surface).toBeUndefined();
    else expectRefusal(check(block), `unsupported type: ${type}`, pointer);
  }
});

test.each(['file', 'video'])('the block %s is refused as not supported by this sandbox', (type) => {
  expectRefusal(inMessage({ type }), `${type} is not supported by this sandbox`, '/blocks/0');
  expectRefusal(inModal({ type }), `${type} is not supported by this sandbox`, '/view/blocks/0');
  expectRefusal(inHome({ type }), `${type} is not supported by this sandbox`, '/view/blocks/0');
});

const accessory = (element: unknown) => inMessage(section({ accessory: element }));
const action = (element: unknown) => inMessage(actions(element));
const modalInput = (element: unknown) => inModal(input(element));
const homeInput = (element: unknown) => inHome(input(element));

const positions = { accessory, action, modalInput, homeInput };

/** Where each element is allowed. */
const elements: [type: string, element: unknown, at: string[]][] = [
  ...Object.entries(choiceElements).map(([type, element]): [string, unknown, string[]] => [
    type,
    element,
    ['accessory', 'action', 'modalInput', 'homeInput'],
  ]),
  ...Object.entries(clickable).map(([type, element]): [string, unknown, string[]] => [
    type,
    element,
    ['accessory', 'action'],
  ]),
  ...Object.entries(typed).map(([type, element]): [string, unknown, string[]] => [
    type,
    element,
    ['modalInput', 'homeInput'],
  ]),
  ['datetimepicker', specimens.datetimepicker, ['action', 'modalInput', 'homeInput']],
  ['rich_text_input', specimens.richTextInput, ['action', 'modalInput', 'homeInput']],
  ['image', specimens.image, ['accessory']],
  ['file_input', specimens.fileInput, ['modalInput']],
];

test.each(elements)('the element %s is accepted only where Slack allows it', (_, element, at) => {
  for (const [path, check] of Object.entries(positions)) {
    if (at.includes(path)) expect(check(element), path).toBeUndefined();
    else expect(check(element)?.messages, path).toEqual([expect.stringContaining('unsupported type: ')]);
  }
});

test('a workflow_button is refused as not supported by this sandbox', () => {
  const message = 'workflow_button is not supported by this sandbox';
  expectRefusal(action({ type: 'workflow_button' }), message, '/blocks/0/elements/0');
  expectRefusal(accessory({ type: 'workflow_button' }), message, '/blocks/0/accessory');
});

test('blocks and elements are not interchangeable', () => {
  expectRefusal(inMessage(button()), 'unsupported type: button', '/blocks/0/type');
  expectRefusal(action(divider()), 'unsupported type: divider', '/blocks/0/elements/0/type');
  expectRefusal(
    inMessage({ type: 'context', elements: [button()] }),
    'unsupported type: button',
    '/blocks/0/elements/0/type',
  );
  expectRefusal(inModal(input(divider())), 'unsupported type: divider', '/view/blocks/0/element/type');
});

test('a container cannot contain containers, cards, inputs or markdown', () => {
  const container = (child: unknown) => ({ type: 'container', title: plain(), child_blocks: [child] });
  expect(inMessage(container(section()))).toBeUndefined();
  for (const child of [container(divider()), everywhere.card, specimens.inputBlock, messageOnly.markdown]) {
    expect(inMessage(container(child))?.messages).toEqual([expect.stringContaining('unsupported type: ')]);
  }
});

test('block_ids are unique, even in containers, carousels and attachments', () => {
  const duplicated = divider({ block_id: 'duplicated' });
  const duplicate = 'duplicate `block_id`';
  expect(inMessage(duplicated, divider({ block_id: 'other' }))).toBeUndefined();
  expectRefusal(inMessage(duplicated, divider(), duplicated), duplicate, '/blocks/2/block_id');
  expectRefusal(inModal(duplicated, duplicated), duplicate, '/view/blocks/1/block_id');
  const container = { type: 'container', title: plain(), child_blocks: [duplicated] };
  expectRefusal(inMessage(container, duplicated), duplicate, '/blocks/1/block_id');
  const card = { type: 'card', title: mrkdwn(), block_id: 'duplicated' };
  expectRefusal(
    inMessage(duplicated, { type: 'carousel', elements: [card] }),
    duplicate,
    '/blocks/1/elements/0/block_id',
  );
  const attached = checkMessage({ blocks: [duplicated], attachments: [{ blocks: [duplicated] }] });
  expectRefusal(attached, duplicate, '/attachments/0/blocks/0/block_id');
});

test('action_ids are unique within a block, but not across blocks', () => {
  const duplicated = button({ action_id: 'duplicated' });
  const duplicate = 'duplicate `action_id`';
  expect(inMessage(actions(duplicated), actions(duplicated))).toBeUndefined();
  expect(inMessage(actions(button(), button()))).toBeUndefined();
  expectRefusal(inMessage(actions(duplicated, button(), duplicated)), duplicate, '/blocks/0/elements/2/action_id');
  expectRefusal(
    inMessage({ type: 'card', actions: [duplicated, duplicated] }),
    duplicate,
    '/blocks/0/actions/1/action_id',
  );
  const icon = { type: 'icon_button', icon: 'trash', text: plain(), action_id: 'duplicated' };
  expectRefusal(
    inMessage({ type: 'context_actions', elements: [icon, icon] }),
    duplicate,
    '/blocks/0/elements/1/action_id',
  );
});

test('response_url_enabled is allowed only in an input of a modal', () => {
  const message = 'only works in an input block of a modal';
  for (const type of ['conversations_select', 'channels_select']) {
    const menu = { type, response_url_enabled: true };
    expect(modalInput(menu)).toBeUndefined();
    expectRefusal(homeInput(menu), message, '/view/blocks/0/element/response_url_enabled');
    expectRefusal(action(menu), message, '/blocks/0/elements/0/response_url_enabled');
    expectRefusal(inModal(section({ accessory: menu })), message, '/view/blocks/0/accessory/response_url_enabled');
    expect(action({ type, response_url_enabled: false })).toBeUndefined();
  }
  expect(modalInput({ type: 'users_select', response_url_enabled: true })).toBeDefined();
});
