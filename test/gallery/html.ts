import { escaped } from '../../src/features/common/page.ts';
import type { Child } from '../../src/sandbox/slack/page/client/dom.ts';

const voidTags = new Set(['input', 'hr']);
/** Props that the page doesn't set as attributes: keys, hooks and field values. */
const notAttributes = ['key', 'mounted', 'beforeRemove', 'value', 'currentValue'];

/** Renders an element of the sandbox's page as HTML, without event listeners. */
export function htmlOf(child: Child): string {
  if (typeof child === 'string') return escaped(child);
  const { tag, props, children } = child;
  const value = String(props.currentValue ?? props.value ?? '');
  const attributes = Object.entries<unknown>({ ...props, ...(tag === 'input' && value !== '' && { value }) })
    .filter(([name, set]) => !name.startsWith('on') && set !== undefined && set !== false)
    .filter(([name]) => !notAttributes.includes(name) || (name === 'value' && tag === 'input'))
    .map(([name, set]) => ` ${name}="${set === true ? '' : escaped(String(set))}"`);
  const opening = `<${tag}${attributes.join('')}>`;
  if (voidTags.has(tag)) return opening;
  return `${opening}${tag === 'textarea' ? escaped(value) : children.map(htmlOf).join('')}</${tag}>`;
}
