import { choiceGroup } from './choice-group.ts';
import { type Content, h, type VNode } from './dom.ts';
import { type Element, elementOf } from './element.ts';
import { fileField } from './file-field.ts';
import { icon } from './icons.ts';
import { menuButton } from './menu.ts';
import { picker } from './picker.ts';
import { act, ignoreErrors } from './server.ts';
import type { Block, Json, Surface } from './state.ts';
import { type Names, plainOf } from './text.ts';
import { textInput } from './text-input.ts';
import { local, redraw } from './ui.ts';

export function drawElement(surface: Surface, names: Names, block: Block, raw: Json, label: string): Content {
  return drawControl(elementOf(surface, names, block, raw, label));
}

export function drawControl(element: Element): Content {
  const type = String(element.raw.type);
  if (type === 'button') return button(element);
  if (type === 'overflow') return overflow(element);
  if (type === 'checkboxes' || type === 'radio_buttons') return choiceGroup(element);
  if (type === 'file_input') return fileField(element);
  if (type === 'datepicker') return datePicker(element);
  if (type === 'datetimepicker') return timePicker(element);
  if (type.endsWith('_select')) return picker(element);
  return textInput(element);
}

function button({ ref, id, raw }: Element): VNode {
  const state = local(`button ${id}`, () => ({ isBusy: false }));
  const url = typeof raw.url === 'string' ? raw.url : undefined;
  const press = () => {
    state.isBusy = true;
    redraw();
    const pressed = act('press', { ref }).finally(() => {
      state.isBusy = false;
      redraw();
    });
    ignoreErrors(pressed);
  };
  const props = {
    key: id,
    class: `button ${raw.style ?? 'plain'}`,
    'aria-label': raw.accessibility_label,
    onclick: press,
  };
  // The browser follows the link, and the bot is notified of the click too.
  if (url) return h('a', { ...props, href: url, target: '_blank', rel: 'noopener noreferrer' }, plainOf(raw.text));
  return h('button', { ...props, type: 'button', 'aria-busy': state.isBusy && 'true' }, plainOf(raw.text));
}

/** Like Slack's own date picker, it sends the date as soon as one is chosen. */
function datePicker({ ref, id, raw, entered, label, describedBy, isInvalid }: Element): VNode {
  const choose = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    ignoreErrors(act('choose', { ref, value: value === '' ? null : value }));
  };
  const input = h('input', {
    id,
    class: 'input',
    type: 'date',
    value: entered.text,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid === true && 'true',
    onchange: choose,
  });
  return h('span', { key: id, class: 'date-picker' }, plainOf(raw.placeholder), ' ', input);
}

/** Shows and reads the time in the browser's time zone. */
function timePicker({ ref, id, entered, label, describedBy, isInvalid }: Element): VNode {
  const [chosen] = entered.chosen;
  const choose = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    ignoreErrors(act('choose', { ref, value: value === '' ? null : Math.floor(new Date(value).getTime() / 1000) }));
  };
  const input = h('input', {
    id,
    class: 'input',
    type: 'datetime-local',
    value: chosen === undefined ? '' : localTime(Number(chosen.value)),
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid === true && 'true',
    onchange: choose,
  });
  return h('span', { key: id, class: 'date-picker' }, input);
}

/** As `YYYY-MM-DDTHH:MM`, which the input needs. */
function localTime(seconds: number): string {
  const offsetMinutes = new Date(seconds * 1000).getTimezoneOffset();
  return new Date((seconds - offsetMinutes * 60) * 1000).toISOString().slice(0, 16);
}

function overflow({ ref, id, raw, label }: Element): VNode {
  const options = (raw.options ?? []) as Json[];
  return menuButton({
    key: id,
    label: label || 'More',
    content: icon('more'),
    class: 'button plain square',
    items: options.map((option) => ({
      label: plainOf(option.text),
      description: plainOf(option.description),
      run: () => ignoreErrors(act('press', { ref, option })),
    })),
  });
}
