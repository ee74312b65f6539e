import { expect, test } from 'vitest';
import { checkMessage, checkOptions, checkView, type Problem } from '../../../../src/sandbox/slack/check/index.ts';
import { fc } from '../../../helpers/properties.ts';
import * as examples from './examples.ts';
import { actions, input, modal, option, options, plain, section, times } from './helper.ts';
import { membersOf, replaced } from './mutations.ts';

const blocks = [
  ...Object.values(examples.commonBlocks),
  ...Object.values(examples.clickableElements).map((one) => actions(one)),
  ...Object.values({ ...examples.choiceElements, ...examples.textInputs }).map((one) => input(one)),
  input(examples.fileInput),
  examples.inputBlock,
];

const everyMember = blocks.flatMap((block) => [...membersOf(block)].map(({ path }) => ({ block, path })));

function checkEverywhere(value: unknown): (Problem | undefined)[] {
  return [
    checkView(value),
    checkView(modal(value)),
    checkView({ type: 'home', blocks: value }),
    checkOptions(value),
    checkOptions({ options: value }),
    checkOptions({ option_groups: value }),
    checkMessage({ text: value }),
    checkMessage({ blocks: value }),
  ];
}

function expectValidResults(problems: (Problem | undefined)[]): void {
  for (const problem of problems) {
    if (problem === undefined) continue;
    expect(problem.error).toMatch(/^[a-z_]+$/);
    for (const message of problem.messages) {
      expect(message).toMatch(/^\[ERROR\] .+/s);
      expect(message.isWellFormed()).toBe(true);
    }
    expect(problem.messages.length).toBeLessThanOrEqual(50);
  }
}

const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });

test('the checks return a valid result for every JSON value', () => {
  fc.assert(fc.property(json, (value) => expectValidResults(checkEverywhere(value))));
});

test('the checks never modify a block, whatever JSON value it contains', () => {
  fc.assert(
    fc.property(fc.constantFrom(...everyMember), json, ({ block, path }, value) => {
      const variant = replaced(block, path, value);
      const before = JSON.stringify(variant);
      expectValidResults([checkMessage({ blocks: [variant] }), checkView(modal([variant])), checkOptions(variant)]);
      expect(JSON.stringify(variant)).toBe(before);
    }),
    { numRuns: 1000 },
  );
});

test('the checks return a result for a value nested 100,000 levels deep', () => {
  let deep: unknown = 'x';
  for (let depth = 0; depth < 100_000; depth += 1) deep = depth % 2 ? [deep] : { type: 'section', text: deep };
  expectValidResults(checkEverywhere(deep));
  for (const { block, path } of everyMember) {
    const variant = replaced(block, path, deep);
    expect(checkMessage({ blocks: [variant] })).toBeDefined();
    expect(checkView(modal([variant]))).toBeDefined();
  }
});

test('the checks are fast for a text of 200,000 characters in any field', () => {
  // A regex that backtracks would take hours for one of these.
  const long = ['x', '{', '1', '-', '@', 'a@', '\ud83d', ' '].map((part) => part.repeat(200_000 / part.length));
  for (const { block, path } of everyMember.filter(({ path }) => path.length > 0)) {
    for (const text of long) {
      const variant = replaced(block, path, text);
      expectValidResults([checkMessage({ blocks: [variant] })]);
    }
  }
});

test.each<[string, (n: number) => unknown]>([
  ['blocks', (n) => times(n, () => section())],
  ['unknown fields', (n) => [section(Object.fromEntries(times(n, (index) => [`field${index}`, index])))]],
  ['elements', (n) => [actions(...times(n, (index) => ({ type: 'button', text: plain(), action_id: `a${index}` })))]],
  ['options', (n) => [input({ type: 'static_select', options: options(n), initial_option: option(n) })]],
  [
    'initial options',
    (n) => [input({ type: 'multi_static_select', options: options(n), initial_options: options(n) })],
  ],
  ['groups', (n) => [input({ type: 'static_select', option_groups: times(n, (i) => ({ options: options(i % 9) })) })]],
])('the work of the checks grows linearly with the number of %s', (_, make) => {
  const work = (n: number) => {
    const { value, reads } = countReadsOf(make(n));
    checkMessage({ blocks: value });
    checkView(modal(value));
    return reads();
  };
  expect(work(4000)).toBeLessThan(2.2 * work(2000) + 1000);
});

/** Wraps a value to count how often its contents are read. */
function countReadsOf(root: unknown): { value: unknown; reads: () => number } {
  let count = 0;
  const watched = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : new Proxy(value, {
          get(target, key, receiver) {
            count += 1;
            return watched(Reflect.get(target, key, receiver));
          },
        });
  return { value: watched(root), reads: () => count };
}
