import { h, type VNode } from './dom.ts';
import type { Element } from './element.ts';
import { act, ignoreErrors } from './server.ts';
import type { Json } from './state.ts';
import { plainOf, textOf } from './text.ts';

/** Checkboxes or radio buttons. */
export function choiceGroup({ ref, id, raw, entered, label, names, describedBy }: Element): VNode {
  const isMultiple = raw.type === 'checkboxes';
  const chosen = entered.chosen.map(({ value }) => (value as Json).value);
  const options = (raw.options ?? []) as Json[];

  function choose(option: Json, isChecked: boolean): void {
    ignoreErrors(
      isMultiple
        ? act('change', { ref, [isChecked ? 'added' : 'removed']: [option] })
        : act('choose', { ref, value: option }),
    );
  }

  const isFormField = describedBy !== undefined || ref.surface.kind === 'view';
  return h(
    'div',
    {
      key: id,
      id,
      class: 'choices',
      role: isMultiple ? 'group' : 'radiogroup',
      'aria-label': isFormField ? label : 'Choices',
    },
    options.map((option, index) =>
      h(
        'label',
        { key: String(option.value) },
        h('input', {
          type: isMultiple ? 'checkbox' : 'radio',
          name: id,
          id: `${id}-${index}`,
          checked: chosen.includes(option.value),
          onchange: (event: Event) => choose(option, (event.target as HTMLInputElement).checked),
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
