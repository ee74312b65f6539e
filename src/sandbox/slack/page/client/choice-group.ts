import { h, type VNode } from './dom.ts';
import type { Element } from './elements.ts';
import { act, quietly } from './server.ts';
import type { Json } from './state.ts';
import { plainOf, textOf } from './text.ts';

/** Checkboxes or radio buttons. */
export function choiceGroup({ ref, id, raw, held, label, names, describedBy }: Element): VNode {
  const isMany = raw.type === 'checkboxes';
  const chosen = held.chosen.map(({ value }) => (value as Json).value);
  const options = (raw.options ?? []) as Json[];

  function choose(option: Json): void {
    const others = held.chosen.map(({ value }) => value as Json).filter(({ value }) => value !== option.value);
    const many = chosen.includes(option.value) ? others : [...others, option];
    quietly(act('choose', { ref, value: isMany ? many : option }));
  }

  const isOfField = describedBy !== undefined || ref.surface.kind === 'view';
  return h(
    'div',
    {
      key: id,
      id,
      class: 'choices',
      role: isMany ? 'group' : 'radiogroup',
      'aria-label': isOfField ? label : 'Choices',
    },
    options.map((option, index) =>
      h(
        'label',
        { key: String(option.value) },
        h('input', {
          type: isMany ? 'checkbox' : 'radio',
          name: id,
          id: `${id}-${index}`,
          checked: chosen.includes(option.value),
          onchange: () => choose(option),
        }),
        h(
          'span',
          {},
          textOf(names, option.text),
          plainOf(option.description) !== '' && h('span', { class: 'dim' }, textOf(names, option.description)),
        ),
      ),
    ),
  );
}
