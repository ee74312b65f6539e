import { randomBytes } from 'node:crypto';
import type { ViewOutput } from '@slack/bolt';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';

/**
 * While a modal is open, Slack keeps a field's value by its block id and ignores a new initial value. So a field whose
 * value we set gets a block id that was never used: its name, `~` and a random suffix.
 */
const separator = '~';

/** The field's name. The ids of file fields have no suffix. */
export function fieldName(blockId: string): string {
  return blockId.split(separator, 1)[0] ?? '';
}

type ShownView = Pick<ViewOutput, 'blocks'>;

/** The block id of a field in the view. */
export function shownId(view: ShownView, name: string): string | undefined {
  return shownField(view, name)?.block_id;
}

export function shownField({ blocks }: ShownView, name: string): InputBlock | undefined {
  return (blocks as KnownBlock[]).find(
    (block): block is InputBlock => block.type === 'input' && fieldName(block.block_id ?? '') === name,
  );
}

/**
 * Returns the view with new block ids for its fields. `shownView` is the view to replace: a field with the same initial
 * value in both views keeps its id, and therefore what the person typed. File fields always keep theirs, because they
 * have no initial value.
 */
export function withFieldIds(view: ModalView, shownView?: ShownView): ModalView {
  return withIds(view, (field, name) => {
    const current = shownView && shownField(shownView, name);
    if (field.element.type === 'file_input') return current?.block_id ?? field.block_id;
    const isSame = current !== undefined && initialValueOf(current) === initialValueOf(field);
    return isSame ? current.block_id : newFieldId(name);
  });
}

function withIds(view: ModalView, idOf: (field: InputBlock, name: string) => string | undefined): ModalView {
  const blocks = (view.blocks as KnownBlock[]).map((block) =>
    block.type === 'input' ? { ...block, block_id: idOf(block, fieldName(block.block_id ?? '')) } : block,
  );
  return { ...view, blocks };
}

export const newFieldId = (name: string) => `${name}${separator}${randomBytes(4).toString('hex')}`;

/** The block ids of the view's fields, by name. */
export function shownIds({ blocks }: ShownView): Record<string, string> {
  const ids = (blocks as KnownBlock[]).flatMap((block) =>
    block.type === 'input' && block.block_id !== undefined ? [[fieldName(block.block_id), block.block_id]] : [],
  );
  return Object.fromEntries(ids);
}

/** Returns the view with these block ids, so that Slack keeps what was typed. Fields without one get new ids. */
export function withShownIds(view: ModalView, ids: Record<string, string>): ModalView {
  return withIds(view, (_, name) => ids[name] ?? newFieldId(name));
}

/** Returns the form with empty file fields. With the old block ids, Slack would keep the files attached before. */
export function withNewFileField(view: ModalView): ModalView {
  return withIds(view, ({ block_id: id, element }, name) => (element.type === 'file_input' ? newFieldId(name) : id));
}

/** A field's initial value as text, for comparison. Of an option only its value, because Slack adds properties. */
function initialValueOf({ element }: InputBlock): string {
  const initial = Object.entries(element).filter(([key]) => key.startsWith('initial_'));
  return JSON.stringify(initial.sort().map(([key, value]) => [key, valuesIn(value)]));
}

function valuesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valuesIn);
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}
