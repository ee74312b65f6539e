import { below, type Check, refuse } from '../place.ts';
import { kind, type Rule, type Shape } from '../shapes.ts';
import { id } from '../values.ts';

const ownBlockId: Rule = ({ block_id: blockId }, place) => {
  if (typeof blockId !== 'string') return;
  const { blockIds } = place.whole;
  if (blockIds.has(blockId)) refuse(below(place, 'block_id'), 'duplicate `block_id`');
  blockIds.add(blockId);
};

/** A block of any kind may have a block_id, which no other block of the same message or view has. */
export function block({ required = {}, optional = {} }: Shape, ...rules: Rule[]): Check {
  return kind({ required, optional: { block_id: id, ...optional } }, ownBlockId, ...rules);
}
