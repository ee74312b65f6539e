import type { Block, ElementRef, FieldValue, Json, Surface } from './state.ts';
import { type Names, plainOf } from './text.ts';

/** An element of a block, with its state on the page. */
export interface Element {
  ref: ElementRef;
  /** Stable across renders, and valid as an `id` attribute. */
  id: string;
  raw: Json;
  entered: FieldValue;
  /** The accessible name; a field has its own label. */
  label: string;
  /** For a field: the ids of its hint and its error. */
  describedBy?: string;
  isInvalid?: boolean;
  names: Names;
  /** A change is sent to the bot immediately, not with the form. */
  sendsImmediately: boolean;
}

export function elementOf(surface: Surface, names: Names, block: Block, raw: Json, label: string): Element {
  const actionId = String(raw.action_id);
  const ref = { surface: surface.ref, blockId: block.block_id, actionId };
  const surfaceId = surface.ref.kind === 'view' ? surface.ref.viewId : surface.ref.ts;
  return {
    ref,
    id: `${surfaceId}-${block.block_id}-${actionId}`.replace(/[^\w-]/g, (character) => `_${character.charCodeAt(0)}`),
    raw,
    entered: surface.entered[block.block_id]?.[actionId] ?? { text: '', chosen: [] },
    label: String(raw.accessibility_label ?? '') || label || plainOf(raw.placeholder),
    names,
    sendsImmediately: block.type !== 'input' || block.dispatch_action === true,
  };
}
