import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../../src/sandbox/slack/check/index.ts';
import * as examples from './examples.ts';
import { actions, checkInMessage, checkInModal, input, refusal } from './helper.ts';
import { isObject, type Member, membersOf, removed, replaced } from './mutations.ts';

/** The required fields of each kind, besides `type`. */
const required: Record<string, string[]> = {
  header: ['text'],
  context: ['elements'],
  actions: ['elements'],
  rich_text: ['elements'],
  input: ['label', 'element'],
  button: ['text'],
  overflow: ['options'],
  checkboxes: ['options'],
  radio_buttons: ['options'],
};

/** Fields that depend on another field. Other tests cover them. */
const conditional = ['options', 'option_groups'];

type Case = [what: string, example: object, check: (block: unknown) => Problem | undefined, pointer: string];

const asInput = (element: unknown) => checkInModal(input(element));
const asAction = (element: unknown) => checkInMessage(actions(element));

/** Each kind of block and element where it is allowed, with the pointer to it. */
const cases: Case[] = [
  ...Object.entries(examples.commonBlocks).map(([name, block]): Case => [name, block, checkInMessage, '/blocks/0']),
  ['input', examples.inputBlock, checkInModal, '/view/blocks/0'],
  ...[...Object.entries(examples.choiceElements), ...Object.entries(examples.textInputs)].map(
    ([name, element]): Case => [`${name} in an input`, element, asInput, '/view/blocks/0/element'],
  ),
  ...[...Object.entries(examples.choiceElements), ...Object.entries(examples.clickableElements)].map(
    ([name, element]): Case => [`${name} among actions`, element, asAction, '/blocks/0/elements/0'],
  ),
  ['file_input in an input', examples.fileInput, asInput, '/view/blocks/0/element'],
];

describe.each(cases)('%s', (what, example, check, pointer) => {
  const inner = [...membersOf(example)].filter(({ path }) => path.length > 0);
  const pointerTo = ({ path }: Member) => [pointer, ...path].join('/');
  const checkWith = (member: Member, value: unknown) => check(replaced(example, member.path, value));

  test('a block or element with all its fields is valid', () => {
    expect(check(example)).toBeUndefined();
  });

  test('a block or element is valid without optional fields, but not required ones', () => {
    for (const name of Object.keys(example)) {
      const problem = check(removed(example, [name]));
      if (name === 'type' || required[what.split(' ')[0] ?? '']?.includes(name)) {
        expect(problem?.messages).toContain(refusal(`missing required field: ${name}`, pointer));
      } else if (!conditional.includes(name)) expect(problem, name).toBeUndefined();
    }
  });

  test('an extra field in any object of a block or element is refused', () => {
    for (const member of membersOf(example)) {
      if (!isObject(member.value)) continue;
      const problem = checkWith(member, { ...member.value, surplus: 1 });
      expect(problem?.messages).toContain(refusal('invalid additional property: surplus', pointerTo(member)));
    }
  });

  test('null or a value of another type in any field is refused', () => {
    for (const member of inner) {
      for (const other of [
        null,
        typeof member.value === 'object' ? 'x' : {},
        typeof member.value === 'number' ? 'x' : 5e9,
      ]) {
        expect(checkWith(member, other), `${pointerTo(member)} = ${JSON.stringify(other)}`).toBeDefined();
      }
    }
  });

  test('an empty text or list in any field is refused', () => {
    for (const member of inner) {
      if (typeof member.value === 'string') expect(checkWith(member, ''), pointerTo(member)).toBeDefined();
      if (Array.isArray(member.value)) expect(checkWith(member, []), pointerTo(member)).toBeDefined();
    }
  });

  test('a string that ends in half a surrogate pair is refused', () => {
    for (const member of inner) {
      if (typeof member.value === 'string')
        expect(checkWith(member, `${member.value}\ud83d`), pointerTo(member)).toBeDefined();
    }
  });

  test('an object without a type or with an unknown type is refused', () => {
    for (const member of membersOf(example)) {
      if (!isObject(member.value) || !('type' in member.value)) continue;
      const { type, ...untyped } = member.value;
      expect(checkWith(member, untyped)?.messages).toContain(
        refusal('missing required field: type', pointerTo(member)),
      );
      for (const unknown of ['nonsense', 'constructor', '__proto__']) {
        const problem = checkWith(member, { ...member.value, type: unknown });
        expect(problem?.messages).toContain(refusal(`unsupported type: ${unknown}`, `${pointerTo(member)}/type`));
      }
    }
  });
});
