import { expect, test } from 'vitest';
import { checkOptions } from '../../../../src/sandbox/slack/check/index.ts';
import { expectRefusal, letters, mrkdwn, option, options, plain, testCharacters, testItems, times } from './helper.ts';

const group = (index: number) => ({ label: plain(), options: [option(index)] });

testItems('options', 100, '/options', (n) => checkOptions({ options: options(n) }));
testItems('groups', 100, '/option_groups', (n) => checkOptions({ option_groups: times(n, group) }));
testItems('options of a group', 100, '/option_groups/0/options', (n) =>
  checkOptions({ option_groups: [{ label: plain(), options: options(n) }] }),
);
testCharacters('the label of a group', 75, '/option_groups/0/label/text', (n) =>
  checkOptions({ option_groups: [{ ...group(0), label: plain(letters(n)) }] }),
);
testCharacters('the value of an option', 75, '/options/0/value', (n) =>
  checkOptions({ options: [{ ...option(), value: letters(n) }] }),
);

test('an empty list of suggestions is valid', () => {
  expect(checkOptions({ options: [] })).toBeUndefined();
  expect(checkOptions({ option_groups: [] })).toBeUndefined();
});

test('an empty group of suggestions is refused', () => {
  const empty = checkOptions({ option_groups: [{ label: plain(), options: [] }] });
  expectRefusal(empty, 'no fewer than 1 items allowed', '/option_groups/0/options');
});

test('suggestions have either options or groups', () => {
  const message = 'must define exactly one of: options, option_groups';
  expectRefusal(checkOptions({}), message, '');
  expectRefusal(checkOptions({ options: [option(0)], option_groups: [group(1)] }), message, '');
  expect(checkOptions({ options: [], more: true })?.error).toBe('invalid_arguments');
  for (const answer of [undefined, null, [], 'options']) {
    expectRefusal(checkOptions(answer), 'must provide an object', '');
  }
});

test('suggestions are plain text without links, with unique values', () => {
  expect(checkOptions({ options: [{ ...option(), text: mrkdwn() }] })).toBeDefined();
  expect(checkOptions({ options: [{ ...option(), url: 'https://example.org' }] })).toBeDefined();
  expectRefusal(checkOptions({ options: [option(1), option(1)] }), 'options must have different values', '');
  expectRefusal(checkOptions({ option_groups: [group(1), group(1)] }), 'options must have different values', '');
});
