import { isDeepStrictEqual } from 'node:util';
import { type Element, elementsOf } from './blocks.ts';
import type { Block, Values, View } from './model.ts';

interface Kind {
  /** The property of the reported value, as in `view.state.values`. */
  field: string;
  /** The element's property with the initial value. */
  initial: string;
  multiple?: true;
}

/** Every element that has a value. Buttons and overflow menus have none. */
export const statefulElements: Readonly<Record<string, Kind>> = {
  plain_text_input: { field: 'value', initial: 'initial_value' },
  datepicker: { field: 'selected_date', initial: 'initial_date' },
  datetimepicker: { field: 'selected_date_time', initial: 'initial_date_time' },
  static_select: { field: 'selected_option', initial: 'initial_option' },
  users_select: { field: 'selected_user', initial: 'initial_user' },
  conversations_select: { field: 'selected_conversation', initial: 'initial_conversation' },
  multi_static_select: { field: 'selected_options', initial: 'initial_options', multiple: true },
  multi_external_select: { field: 'selected_options', initial: 'initial_options', multiple: true },
  multi_users_select: { field: 'selected_users', initial: 'initial_users', multiple: true },
  multi_conversations_select: { field: 'selected_conversations', initial: 'initial_conversations', multiple: true },
  radio_buttons: { field: 'selected_option', initial: 'initial_option' },
  checkboxes: { field: 'selected_options', initial: 'initial_options', multiple: true },
  // Files can't be attached in advance.
  file_input: { field: 'files', initial: '', multiple: true },
};

/** The values of a form before anyone has changed it. */
export function initialValues(blocks: readonly Block[]): Values {
  const values: Values = {};
  for (const block of blocks) {
    for (const element of elementsOf(block)) {
      const kind = statefulElements[element.type];
      if (!kind) continue;
      const blockValues = values[block.block_id] ?? {};
      values[block.block_id] = blockValues;
      blockValues[element.action_id] = { type: element.type, [kind.field]: initialOf(element, kind) };
    }
  }
  return values;
}

/** Whether a field of a form differs from its initial value. */
export function isChanged(blocks: readonly Block[], values: Values): boolean {
  const inputs = blocks.filter(({ type }) => type === 'input');
  return Object.entries(initialValues(inputs)).some(
    ([blockId, initial]) => !isDeepStrictEqual(values[blockId] ?? initial, initial),
  );
}

function initialOf(element: Element, kind: Kind): unknown {
  return element[kind.initial] ?? (kind.multiple ? [] : null);
}

/**
 * Adds a view's values to those that its modal remembers. Slack's client remembers them by block and action, even for
 * fields that no longer exist.
 */
export function rememberValues(view: View): Values {
  const remembered = view.remembered ?? {};
  view.remembered = remembered;
  for (const [blockId, actions] of Object.entries(view.values)) {
    remembered[blockId] = { ...remembered[blockId], ...actions };
  }
  return remembered;
}

/** The new values. If an element has the same ids and type as a remembered one, the remembered value is used. */
export function mergedValues(newValues: Values, remembered: Values): Values {
  for (const [blockId, actions] of Object.entries(newValues)) {
    for (const [actionId, value] of Object.entries(actions)) {
      const old = remembered[blockId]?.[actionId];
      if (old?.type === value.type) actions[actionId] = old;
    }
  }
  return newValues;
}

export function currentValue(values: Values, blockId: string, element: Element): unknown {
  const kind = statefulElements[element.type];
  return kind && values[blockId]?.[element.action_id]?.[kind.field];
}

export function setValue(values: Values, blockId: string, element: Element, value: unknown): void {
  const kind = statefulElements[element.type];
  if (!kind) throw new Error(`a ${element.type} has no value`);
  const blockValues = values[blockId] ?? {};
  values[blockId] = blockValues;
  blockValues[element.action_id] = { type: element.type, [kind.field]: value };
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
