import { textOf } from '../client/markup.ts';
import { nameOf } from '../client/names.ts';
import { elementsOf } from '../state/blocks.ts';
import type { Block, Json, Team, User, Values } from '../state/model.ts';
import { currentValue, statefulElements } from '../state/values.ts';
import type { Choice, FieldValue, FieldValues } from './client/state.ts';

/** The values of all elements in these blocks, with their labels. */
export function fieldValues(team: Team, user: User, blocks: readonly Block[], values: Values): FieldValues {
  const entered: FieldValues = {};
  for (const block of blocks) {
    const elements = elementsOf(block).filter(({ type }) => statefulElements[type]);
    if (elements.length === 0) continue;
    entered[block.block_id] = Object.fromEntries(
      elements.map((element) => [
        element.action_id,
        fieldValue(team, user, currentValue(values, block.block_id, element)),
      ]),
    );
  }
  return entered;
}

function fieldValue(team: Team, user: User, value: unknown): FieldValue {
  const list: unknown[] = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  const [first] = list;
  return { text: typeof first === 'string' ? first : '', chosen: list.map((item) => asChoice(team, user, item)) };
}

export function asChoice(team: Team, user: User, value: unknown): Choice {
  const description = textOf(team, (value as Json | null)?.description);
  return { label: nameOf(team, user, value), ...(description !== '' && { description }), value };
}
