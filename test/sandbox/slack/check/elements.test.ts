import { expect, test } from 'vitest';
import { actions, button, expectRefusal, inMessage, inModal, input, mrkdwn, plain, rich } from './helper.ts';

const at = '/view/blocks/0/element';
const asInput = (element: object, more: object = {}) => inModal(input(element, more));

test.each(['2026-2-1', '2026-02-30', '2026-13-01', '02/01/2026', '2026-02-01T00:00', 'today', ''])(
  'the date %j is invalid',
  (initial_date) => {
    expectRefusal(asInput({ type: 'datepicker', initial_date }), 'must be a date as YYYY-MM-DD', `${at}/initial_date`);
  },
);

test('February 29 is a valid date only in leap years', () => {
  expect(asInput({ type: 'datepicker', initial_date: '2028-02-29' })).toBeUndefined();
  expect(asInput({ type: 'datepicker', initial_date: '2026-02-29' })).toBeDefined();
});

test.each(['24:00', '9:30', '09:60', '09:30:00', '09.30'])('the time %j is invalid', (initial_time) => {
  expectRefusal(asInput({ type: 'timepicker', initial_time }), 'must be a time as HH:mm', `${at}/initial_time`);
});

test.each(['Mars/Olympus', '+01:00', 'Europe/Stockholm ', '../etc'])('the time zone %j is invalid', (timezone) => {
  const message = 'must be the IANA name of a time zone';
  expectRefusal(asInput({ type: 'timepicker', timezone }), message, `${at}/timezone`);
});

test('numbers are strings, whole unless decimals are allowed, and in range', () => {
  const number = (more: object, is_decimal_allowed = true) =>
    asInput({ type: 'number_input', is_decimal_allowed, ...more });
  expect(number({ min_value: '-1.5', initial_value: '0', max_value: '10' })).toBeUndefined();
  expect(number({ min_value: '9', max_value: '10' }, false)).toBeUndefined();
  expectRefusal(number({ min_value: '1.5' }, false), 'must be a whole number', `${at}/min_value`);
  expectRefusal(number({ min_value: '10', max_value: '9' }), 'min_value cannot be greater than max_value', at);
  expectRefusal(number({ min_value: '2', initial_value: '1' }), 'min_value cannot be greater than initial_value', at);
  expectRefusal(number({ initial_value: '3', max_value: '2' }), 'initial_value cannot be greater than max_value', at);
  for (const initial_value of ['1e3', '1,5', '.5', '0x10', ' 1', '']) {
    expectRefusal(number({ initial_value }), 'must be a number, written as a string', `${at}/initial_value`);
  }
});

test('min_length is at most max_length, and the initial value fits', () => {
  const bounded = (more: object) => asInput({ type: 'plain_text_input', ...more });
  expect(bounded({ min_length: 5, max_length: 5, initial_value: '12345' })).toBeUndefined();
  expectRefusal(bounded({ min_length: 6, max_length: 5 }), 'min_length cannot be greater than max_length', at);
  const long = bounded({ max_length: 5, initial_value: '123456' });
  expectRefusal(long, 'must not be longer than max_length', `${at}/initial_value`);
});

test('a rich text input needs an action_id, ordered lines and a rich text value', () => {
  const typed = (more: object) => asInput({ type: 'rich_text_input', action_id: 'a', ...more });
  expect(typed({ initial_value: rich({ type: 'text', text: 'x' }), min_lines: 1, max_lines: 1 })).toBeUndefined();
  expectRefusal(asInput({ type: 'rich_text_input' }), 'missing required field: action_id', at);
  expectRefusal(typed({ min_lines: 9, max_lines: 8 }), 'min_lines cannot be greater than max_lines', at);
  expectRefusal(typed({ initial_value: plain() }), 'unsupported type: plain_text', `${at}/initial_value/type`);
});

test('the initial value of an email or URL field must be valid', () => {
  expect(asInput({ type: 'email_text_input', initial_value: 'ada' })).toBeDefined();
  expect(asInput({ type: 'email_text_input', initial_value: 'a b@example.org' })).toBeDefined();
  expect(asInput({ type: 'url_text_input', initial_value: 'example' })).toBeDefined();
});

test('a file input has extensions without a dot and no dispatch_action', () => {
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
  const problem = inMessage(actions(button({ confirm })));
  expectRefusal(problem, `missing required field: ${name}`, '/blocks/0/elements/0/confirm');
});

test('labels, headers and placeholders are plain text, card titles are mrkdwn', () => {
  const message = 'unsupported type: mrkdwn';
  expectRefusal(inMessage(actions(button({ text: mrkdwn() }))), message, '/blocks/0/elements/0/text/type');
  expectRefusal(inMessage({ type: 'header', text: mrkdwn() }), message, '/blocks/0/text/type');
  expectRefusal(asInput({ type: 'plain_text_input' }, { label: mrkdwn() }), message, '/view/blocks/0/label/type');
  expectRefusal(asInput({ type: 'users_select', placeholder: mrkdwn() }), message, `${at}/placeholder/type`);
  expectRefusal(inMessage({ type: 'card', title: plain() }), 'unsupported type: plain_text', '/blocks/0/title/type');
});

test('emoji is allowed only in plain text, and verbatim only in mrkdwn', () => {
  const text = (more: object) => inMessage({ type: 'section', text: { text: 'words', ...more } });
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
    inMessage(actions(button({ text: plain(' \u00a0\n') }))),
    'must be more than spaces',
    '/blocks/0/elements/0/text/text',
  );
});
