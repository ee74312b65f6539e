import { h, type VNode } from './dom.ts';
import type { Member } from './state.ts';

/** A person's avatar: their initial on a colour derived from their id. */
export function avatar({ id, name, role }: Member): VNode {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 8, 7);
  const style = role === 'app' ? 'app' : `hue-${hue}`;
  return h('span', { class: `avatar ${style}`, 'aria-hidden': 'true' }, role === 'app' ? '' : name.charAt(0));
}
