import { below, type Check, refuse } from '../place.ts';
import { isFields } from '../shapes.ts';

/** A block whose block_id no other block of the same message or view has. */
export function identified(check: Check): Check {
  return (value, place) => {
    check(value, place);
    const blockId = isFields(value) ? value.block_id : undefined;
    if (typeof blockId !== 'string') return;
    const { blockIds } = place.whole;
    if (blockIds.has(blockId)) refuse(below(place, 'block_id'), 'duplicate `block_id`');
    blockIds.add(blockId);
  };
}
