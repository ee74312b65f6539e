import { expect, test } from 'vitest';
import { limits } from '../../../../src/sandbox/slack/check/index.ts';
import {
  actions,
  button,
  checkInMessage,
  checkInModal,
  expectRefusal,
  input,
  letters,
  options,
  plain,
  testCharacters,
  testItems,
  testNumber,
  times,
} from './helper.ts';

const first = '/blocks/0/elements/0';
const element = '/view/blocks/0/element';

const asAction = (one: unknown) => checkInMessage(actions(one));
const asInput = (one: unknown) => checkInModal(input(one));

const confirm = (more: object) => ({ title: plain(), text: plain(), confirm: plain(), deny: plain(), ...more });
const confirmed = (more: object) => asAction(button({ confirm: confirm(more) }));
const address = (length: number) => `https://example.org/${letters(length - 'https://example.org/'.length)}`;
const groups = (count: number) =>
  times(count, (index) => ({ label: plain(), options: [{ text: plain(), value: `v${index}` }] }));
const choice = (type: string, count: number) => asInput({ type, options: options(count) });

testCharacters("a button's text", 75, `${first}/text/text`, (n) => asAction(button({ text: plain(letters(n)) })));
testCharacters("a button's value", 2000, `${first}/value`, (n) => asAction(button({ value: letters(n) })));
testCharacters("a button's URL", 3000, `${first}/url`, (n) => asAction(button({ url: address(n) })));
testCharacters("a button's accessibility label", 75, `${first}/accessibility_label`, (n) =>
  asAction(button({ accessibility_label: letters(n) })),
);
testCharacters('the title of a confirmation', 100, `${first}/confirm/title/text`, (n) =>
  confirmed({ title: plain(letters(n)) }),
);
testCharacters('the text of a confirmation', 300, `${first}/confirm/text/text`, (n) =>
  confirmed({ text: plain(letters(n)) }),
);
testCharacters('the confirm label of a confirmation', 30, `${first}/confirm/confirm/text`, (n) =>
  confirmed({ confirm: plain(letters(n)) }),
);
testCharacters('the deny label of a confirmation', 30, `${first}/confirm/deny/text`, (n) =>
  confirmed({ deny: plain(letters(n)) }),
);
testCharacters('a placeholder', 150, `${element}/placeholder/text`, (n) =>
  asInput({ type: 'plain_text_input', placeholder: plain(letters(n)) }),
);
testCharacters('the URL of a menu entry', 3000, `${first}/options/0/url`, (n) =>
  asAction({ type: 'overflow', options: [{ ...options(1)[0], url: address(n) }] }),
);
testItems('the options of a select', 100, `${element}/options`, (n) => choice('static_select', n));
testItems('the options of a multi-select', 100, `${element}/options`, (n) => choice('multi_static_select', n));
testItems('the groups of a select', 100, `${element}/option_groups`, (n) =>
  asInput({ type: 'static_select', option_groups: groups(n) }),
);
testItems('the options of a group', 100, `${element}/option_groups/0/options`, (n) =>
  asInput({ type: 'static_select', option_groups: [{ label: plain(), options: options(n) }] }),
);
testCharacters('the label of a group', 75, `${element}/option_groups/0/label/text`, (n) =>
  asInput({ type: 'static_select', option_groups: [{ label: plain(letters(n)), options: options(1) }] }),
);
testItems('checkboxes', 10, `${element}/options`, (n) => choice('checkboxes', n));
testItems('radio buttons', 10, `${element}/options`, (n) => choice('radio_buttons', n));
testItems('the entries of an overflow menu', 5, `${first}/options`, (n) =>
  asAction({ type: 'overflow', options: options(n) }),
);
testNumber('max_length of a text input', 3000, `${element}/max_length`, (n) =>
  asInput({ type: 'plain_text_input', max_length: n }),
);
testCharacters('the initial value of a text input', 3000, `${element}/initial_value`, (n) =>
  asInput({ type: 'plain_text_input', initial_value: letters(n) }),
);
testNumber('max_files of a file input', 10, `${element}/max_files`, (n) =>
  asInput({ type: 'file_input', max_files: n }),
);
test.each([
  ['min_query_length of a select', { type: 'multi_external_select' }, 'min_query_length', 0],
  ['max_length of a text input', { type: 'plain_text_input' }, 'max_length', 1],
  ['max_files of a file input', { type: 'file_input' }, 'max_files', 1],
])('%s must be an integer of at least its minimum', (_, one, name, min) => {
  expect(asInput({ ...one, [name]: min })).toBeUndefined();
  expectRefusal(asInput({ ...one, [name]: min - 1 }), `must be greater than ${min - 1}`, `${element}/${name}`);
  expectRefusal(asInput({ ...one, [name]: min + 0.5 }), 'must provide an integer', `${element}/${name}`);
  expectRefusal(asInput({ ...one, [name]: String(min) }), 'must provide an integer', `${element}/${name}`);
});

test("the exported limits include those that the checks don't use", () => {
  expect(limits.view.stack).toBe(3);
  expect(limits.select).toMatchObject({ defaultMinQueryLength: 3, answerMs: 3000 });
  expect(limits.fileInput.bytesPerFile).toBe(10_000_000);
});
