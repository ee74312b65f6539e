import { allBlocks, elementsOf } from '../blocks.ts';
import { heldBy, stateful } from '../client/values.ts';
import type { Block, Json, Team, User, Values } from '../model.ts';
import { nameOf } from '../person/pick.ts';
import { textOf } from '../screen/words.ts';
import type { AllHeld, Choice, Held } from './client/state.ts';

/** The values of all elements in these blocks, with their labels. */
export function allHeld(team: Team, user: User, blocks: readonly Block[], values: Values): AllHeld {
  const held: AllHeld = {};
  for (const block of allBlocks(blocks)) {
    const elements = elementsOf(block).filter(({ type }) => stateful[type]);
    if (elements.length === 0) continue;
    held[block.block_id] = Object.fromEntries(
      elements.map((element) => [element.action_id, asHeld(team, user, heldBy(values, block.block_id, element))]),
    );
  }
  return held;
}

function asHeld(team: Team, user: User, value: unknown): Held {
  const list: unknown[] = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  const [first] = list;
  const isTyped = typeof first === 'string' || typeof first === 'number' || isRichText(first);
  return { text: isTyped ? words(first) : '', chosen: list.map((one) => asChoice(team, user, one)) };
}

export function asChoice(team: Team, user: User, value: unknown): Choice {
  const description = textOf(team, (value as Json | null)?.description);
  return { label: nameOf(team, user, value), ...(description !== '' && { description }), value };
}

function isRichText(value: unknown): value is Json {
  return (value as Json | undefined)?.type === 'rich_text';
}

/** The typed text; for rich text, without formatting. */
function words(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { text, elements } = value as Json;
  if (typeof text === 'string') return text;
  return Array.isArray(elements) ? elements.map(words).join('') : '';
}
