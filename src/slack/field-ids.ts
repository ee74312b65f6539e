import { randomBytes } from 'node:crypto';
import type { ViewOutput } from '@slack/bolt';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';

/**
 * Slack keeps what a field holds by its block id while the modal is open, and then ignores another initial value. A field
 * whose value we set therefore gets a block id that was never used: its name, `~` and a random mark.
 */
const mark = '~';

/** Forms of an older version have the name alone. */
export function fieldName(blockId: string): string {
  return blockId.split(mark, 1)[0] ?? '';
}

type Shown = Pick<ViewOutput, 'blocks'>;

/** The block id under which the view shows a field. */
export function shownId(view: Shown, name: string): string | undefined {
  return shownField(view, name)?.block_id;
}

function shownField({ blocks }: Shown, name: string): InputBlock | undefined {
  return (blocks as KnownBlock[]).find(
    (block): block is InputBlock => block.type === 'input' && fieldName(block.block_id ?? '') === name,
  );
}

/**
 * The view with a new block id for every field whose value we set. Fields that start with the same value as in `shown`, the
 * view in whose place it comes, keep what was typed into them; so does a field for files, which can't be filled by us.
 */
export function withFieldIds(view: ModalView, shown?: Shown): ModalView {
  return { ...view, blocks: (view.blocks as KnownBlock[]).map((block) => withFieldId(block, shown)) };
}

function withFieldId(block: KnownBlock, shown: Shown | undefined): KnownBlock {
  if (block.type !== 'input' || block.block_id === undefined || block.element.type === 'file_input') return block;
  const name = fieldName(block.block_id);
  const before = shown === undefined ? undefined : shownField(shown, name);
  const kept = before !== undefined && startOf(before) === startOf(block) ? before.block_id : undefined;
  return { ...block, block_id: kept ?? `${name}${mark}${randomBytes(4).toString('hex')}` };
}

/** What a field starts with, in a form that can be compared. Slack adds to what it repeats of an option. */
function startOf({ element }: InputBlock): string {
  const initial = Object.entries(element).filter(([key]) => key.startsWith('initial_'));
  return JSON.stringify(initial.sort().map(([key, value]) => [key, valuesIn(value)]));
}

function valuesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valuesIn);
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}
