import { below, type Check, refuse } from '../path.ts';
import { kind, type Rule, type Shape } from '../shapes.ts';
import { id } from '../values.ts';

const ownBlockId: Rule = ({ block_id: blockId }, path) => {
  if (typeof blockId !== 'string') return;
  const { blockIds } = path.whole;
  if (blockIds.has(blockId)) refuse(below(path, 'block_id'), 'duplicate `block_id`');
  blockIds.add(blockId);
};

/** Every block can have a block_id, unique within the message or view. */
export function block({ required = {}, optional = {} }: Shape, ...rules: Rule[]): Check {
  return kind({ required, optional: { block_id: id, ...optional } }, ownBlockId, ...rules);
}
