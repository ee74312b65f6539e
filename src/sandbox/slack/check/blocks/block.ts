import { type Check, child, refuse } from '../path.ts';
import { type Rule, type Shape, variant } from '../shapes.ts';
import { id } from '../values.ts';

const uniqueBlockId: Rule = ({ block_id: blockId }, path) => {
  if (typeof blockId !== 'string') return;
  const { blockIds } = path.state;
  if (blockIds.has(blockId)) refuse(child(path, 'block_id'), 'duplicate `block_id`');
  blockIds.add(blockId);
};

/** Every block can have a block_id, unique within the message or view. */
export function block({ required = {}, optional = {} }: Shape, ...rules: Rule[]): Check {
  return variant({ required, optional: { block_id: id, ...optional } }, uniqueBlockId, ...rules);
}
