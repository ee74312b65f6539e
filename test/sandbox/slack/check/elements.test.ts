import { expect, test } from 'vitest';
import {
  actions,
  button,
  checkInMessage,
  checkInModal,
  expectRefusal,
  input,
  mrkdwn,
  plain,
  section,
} from './helper.ts';

const at = '/view/blocks/0/element';
const asInput = (element: object, more: object = {}) => checkInModal(input(element, more));

test('the initial value of a text input must fit its max_length', () => {
  const bounded = (more: object) => asInput({ type: 'plain_text_input', ...more });
  expect(bounded({ max_length: 5, initial_value: '12345' })).toBeUndefined();
  const long = bounded({ max_length: 5, initial_value: '123456' });
  expectRefusal(long, 'must not be longer than max_length', `${at}/initial_value`);
});

test('a file input with a dotted extension or with dispatch_action is refused', () => {
  const message = 'must be a file extension without its dot';
  expectRefusal(asInput({ type: 'file_input', filetypes: ['.pdf'] }), message, `${at}/filetypes/0`);
  const dispatched = asInput({ type: 'file_input' }, { dispatch_action: true });
  expectRefusal(dispatched, 'must be false for a file_input', '/view/blocks/0/dispatch_action');
  expect(asInput({ type: 'file_input' }, { dispatch_action: false })).toBeUndefined();
});

test.each(['title', 'text', 'confirm', 'deny'])('a confirmation without %s is refused', (name) => {
  const { [name]: _, ...confirm }: Record<string, unknown> = {
    title: plain(),
    text: plain(),
    confirm: plain(),
    deny: plain(),
  };
  const problem = checkInMessage(actions(button({ confirm })));
  expectRefusal(problem, `missing required field: ${name}`, '/blocks/0/elements/0/confirm');
});

test('labels, headers and placeholders must be plain text', () => {
  const message = 'unsupported type: mrkdwn';
  expectRefusal(checkInMessage(actions(button({ text: mrkdwn() }))), message, '/blocks/0/elements/0/text/type');
  expectRefusal(checkInMessage({ type: 'header', text: mrkdwn() }), message, '/blocks/0/text/type');
  expectRefusal(asInput({ type: 'plain_text_input' }, { label: mrkdwn() }), message, '/view/blocks/0/label/type');
  expectRefusal(asInput({ type: 'users_select', placeholder: mrkdwn() }), message, `${at}/placeholder/type`);
});

test('emoji is allowed only in plain text, and verbatim only in mrkdwn', () => {
  const text = (more: object) => checkInMessage({ type: 'section', text: { text: 'words', ...more } });
  expect(text({ type: 'plain_text', emoji: false })).toBeUndefined();
  expect(text({ type: 'mrkdwn', verbatim: true })).toBeUndefined();
  expectRefusal(text({ type: 'mrkdwn', emoji: true }), 'invalid additional property: emoji', '/blocks/0/text');
  expectRefusal(
    text({ type: 'plain_text', verbatim: true }),
    'invalid additional property: verbatim',
    '/blocks/0/text',
  );
});

test('a text of only spaces is refused', () => {
  expectRefusal(
    checkInMessage(actions(button({ text: plain(' \u00a0\n') }))),
    'must be more than spaces',
    '/blocks/0/elements/0/text/text',
  );
});

test('a section needs a text or fields', () => {
  expect(checkInMessage({ type: 'section', fields: [plain()] })).toBeUndefined();
  expectRefusal(checkInMessage({ type: 'section' }), 'must define at least one of: text, fields', '/blocks/0');
  expect(checkInMessage(section({ fields: [plain()] }))).toBeUndefined();
});
