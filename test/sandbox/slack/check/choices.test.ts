import { expect, test } from 'vitest';
import {
  actions,
  checkInMessage,
  checkInModal,
  expectRefusal,
  input,
  mrkdwn,
  option,
  options,
  plain,
} from './helper.ts';

const at = '/view/blocks/0/element';
const asInput = (element: object) => checkInModal(input(element));

test.each([
  ['static_select', 'initial_option', (one: unknown) => one],
  ['radio_buttons', 'initial_option', (one: unknown) => one],
  ['multi_static_select', 'initial_options', (one: unknown) => [one]],
  ['checkboxes', 'initial_options', (one: unknown) => [one]],
])('the initial option of a %s matches one of its options exactly', (type, name, wrapped) => {
  const offer = [option(0), { ...option(1), description: plain('the second') }];
  const start = (initial: unknown) => asInput({ type, options: offer, [name]: wrapped(initial) });
  expect(start(offer[0])).toBeUndefined();
  expect(start(structuredClone(offer[1]))).toBeUndefined();
  for (const other of [
    option(2),
    option(1),
    { ...option(0), value: 'value-1' },
    { ...option(0), text: plain('another') },
    { ...option(0), text: { ...plain('option 0'), emoji: true } },
    { ...option(0), description: plain('more') },
  ]) {
    const pointer = `${at}/${name}${name.endsWith('s') ? '/0' : ''}`;
    expectRefusal(start(other), 'must match one of the options exactly', pointer);
  }
});

test('an external select can have any initial options', () => {
  expect(asInput({ type: 'multi_external_select', initial_options: options(9) })).toBeUndefined();
});

test('a select has either options or groups', () => {
  const message = 'must define exactly one of: options, option_groups';
  const option_groups = [{ label: plain(), options: options(2) }];
  for (const type of ['static_select', 'multi_static_select']) {
    expect(asInput({ type, option_groups })).toBeUndefined();
    expectRefusal(asInput({ type }), message, at);
    expect(asInput({ type, options: [option(7)], option_groups })?.messages).toEqual([
      `[ERROR] ${message} [json-pointer:${at}]`,
    ]);
  }
});

test('options have unique values, even across groups', () => {
  const message = 'options must have different values';
  const duplicates = [option(0), { ...option(1), value: 'value-0' }];
  for (const type of ['static_select', 'multi_static_select', 'checkboxes', 'radio_buttons']) {
    expectRefusal(asInput({ type, options: duplicates }), message, at);
  }
  expectRefusal(checkInMessage(actions({ type: 'overflow', options: duplicates })), message, '/blocks/0/elements/0');
  const option_groups = duplicates.map((one) => ({ label: plain(), options: [one] }));
  expectRefusal(asInput({ type: 'static_select', option_groups }), message, at);
});

test('only checkboxes and radio buttons take mrkdwn options, only overflow menus links', () => {
  const marked = [{ ...option(), text: mrkdwn() }];
  const linked = [{ ...option(), url: 'https://example.org' }];
  expect(asInput({ type: 'checkboxes', options: marked })).toBeUndefined();
  expect(asInput({ type: 'radio_buttons', options: marked })).toBeUndefined();
  const wrongText = 'unsupported type: mrkdwn';
  expectRefusal(asInput({ type: 'static_select', options: marked }), wrongText, `${at}/options/0/text/type`);
  const menu = checkInMessage(actions({ type: 'overflow', options: marked }));
  expectRefusal(menu, wrongText, '/blocks/0/elements/0/options/0/text/type');
  expect(checkInMessage(actions({ type: 'overflow', options: linked }))).toBeUndefined();
  const extraField = 'invalid additional property: url';
  expectRefusal(asInput({ type: 'radio_buttons', options: linked }), extraField, `${at}/options/0`);
});

test('initial selections are unique', () => {
  const users = (...initial_users: string[]) => asInput({ type: 'multi_users_select', initial_users });
  expect(users('U1A', 'U2A')).toBeUndefined();
  expectRefusal(users('U1A', 'U1A'), 'items must be unique', `${at}/initial_users`);
  for (const type of ['checkboxes', 'multi_static_select']) {
    const twice = asInput({ type, options: options(2), initial_options: [option(0), option(0)] });
    expectRefusal(twice, 'duplicate `value`', `${at}/initial_options/1/value`);
  }
});

test('the initial user or conversation of a select must be an id', () => {
  expect(asInput({ type: 'users_select', initial_user: 'W012' })).toBeUndefined();
  expectRefusal(
    asInput({ type: 'users_select', initial_user: 'ada' }),
    'must be the id of a user',
    `${at}/initial_user`,
  );
  const conversation = asInput({ type: 'conversations_select', initial_conversation: '#general' });
  expectRefusal(conversation, 'must be the id of a conversation', `${at}/initial_conversation`);
});

test('the filter of a conversation select must have entries and no duplicates', () => {
  const filtered = (filter: object) => asInput({ type: 'conversations_select', filter });
  expect(filtered({ exclude_bot_users: true })).toBeUndefined();
  expect(filtered({})?.messages).toHaveLength(1);
  expectRefusal(filtered({ include: ['im', 'im'] }), 'items must be unique', `${at}/filter/include`);
  expectRefusal(filtered({ include: ['dm'] }), 'must be one of: im, mpim, private, public', `${at}/filter/include/0`);
});

test('an overflow menu has no accessibility label', () => {
  const menu = { type: 'overflow', options: [option()], accessibility_label: 'More' };
  expectRefusal(
    checkInMessage(actions(menu)),
    'invalid additional property: accessibility_label',
    '/blocks/0/elements/0',
  );
});
