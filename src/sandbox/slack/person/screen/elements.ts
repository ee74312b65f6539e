import { textOf } from '../../client/markup.ts';
import type { Element } from '../../state/blocks.ts';
import type { ElementRef, Json, Team, Values } from '../../state/model.ts';
import { currentValue, statefulElements } from '../../state/values.ts';
import type { Control } from './screen.ts';

/** A rendered element and its controls. */
export interface RenderedElement {
  text: string;
  controls: Control[];
}

export interface RenderContext {
  team: Team;
  surface: ElementRef['surface'];
  values: Values;
}

export function drawElement(
  context: RenderContext,
  blockId: string,
  element: Element,
  label?: string,
): RenderedElement {
  const ref: ElementRef = { surface: context.surface, blockId, actionId: element.action_id };
  if (element.type === 'checkboxes' || element.type === 'radio_buttons') return choices(context, ref, element, label);
  if (statefulElements[element.type]) return field(context, ref, element, label);
  if (element.type === 'overflow') return overflow(context, ref, element);
  return button(context, ref, element);
}

function button({ team }: RenderContext, ref: ElementRef, element: Element): RenderedElement {
  const label = textOf(team, element.text);
  const control: Control = { kind: 'button', label, ref, ...accessibleName(element) };
  return { text: `[${label}]`, controls: [control] };
}

function accessibleName(element: Element): Pick<Control, 'accessibleName'> {
  return typeof element.accessibility_label === 'string' ? { accessibleName: element.accessibility_label } : {};
}

function overflow({ team }: RenderContext, ref: ElementRef, element: Element): RenderedElement {
  const options = (element.options ?? []) as Json[];
  const labels = options.map(({ text }) => textOf(team, text));
  return {
    text: `[⋯ ${labels.join(' | ')}]`,
    controls: options.map((option, index) => ({ kind: 'menu item', label: labels[index] ?? '', ref, option })),
  };
}

function choices({ team, values }: RenderContext, ref: ElementRef, element: Element, label?: string): RenderedElement {
  const value = currentValue(values, ref.blockId, element);
  const chosen = (Array.isArray(value) ? value : [value]).map((item: Json | null | undefined) => item?.value);
  const [open, close] = element.type === 'checkboxes' ? ['[', ']'] : ['(', ')'];
  const options = (element.options ?? []) as Json[];
  const drawn = options.map((option) => {
    const mark = chosen.includes(option.value) ? (element.type === 'checkboxes' ? 'x' : '•') : ' ';
    return `${open}${mark}${close} ${textOf(team, option.text)}`;
  });
  const asField: Control[] = label === undefined ? [] : [{ kind: 'field', label, ref, ...accessibleName(element) }];
  const each = options.map((option): Control => ({ kind: 'choice', label: textOf(team, option.text), ref, option }));
  return { text: drawn.join('  '), controls: [...asField, ...each] };
}

function field({ team, values }: RenderContext, ref: ElementRef, element: Element, label?: string): RenderedElement {
  const placeholder = textOf(team, element.placeholder);
  const value = currentValue(values, ref.blockId, element);
  const valueText = formatValue(team, value);
  const name = label ?? placeholder;
  const hint = placeholder === '' ? '' : `‹${placeholder}›`;
  const text = label === undefined ? `${hint} ${valueText} ▾`.trim() : valueText === '' ? hint : valueText;
  return { text, controls: [{ kind: 'field', label: name, ref, ...accessibleName(element) }] };
}

function formatValue(team: Team, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => formatOne(team, item)).join(', ');
  return formatOne(team, value);
}

function formatOne(team: Team, value: unknown): string {
  if (typeof value === 'object' && value !== null) return textOf(team, (value as Json).text);
  const text = String(value);
  const user = team.users.get(text);
  if (user) return user.name;
  const channel = team.channels.get(text);
  if (channel) return channel.kind === 'im' ? directName(team, channel.members) : `#${channel.name}`;
  return team.files.get(text)?.name ?? text;
}

function directName(team: Team, members: Set<string>): string {
  return [...members].map((id) => team.users.get(id)?.name ?? id).join(' and ');
}
