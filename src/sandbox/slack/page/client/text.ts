import { type Content, h, type VNode } from './dom.ts';
import type { Json } from './state.ts';

export type Names = Record<string, string>;

/** Renders a text object: plain text, or Slack's markup. */
export function textOf(names: Names, value: unknown): Content {
  const { type, text } = (value ?? {}) as Json;
  if (typeof text !== 'string') return undefined;
  return type === 'mrkdwn' ? markup(names, text) : text;
}

export function plainOf(value: unknown): string {
  const { text } = (value ?? {}) as Json;
  return typeof text === 'string' ? text : '';
}

const pieces = /(```[\s\S]+?```|`[^`\n]+`|<[^<>]+>)/;
const marks: [RegExp, string][] = [
  [/(^|[\s(])\*(\S(?:[^*\n]*\S)?)\*(?=$|[\s).,:;!?])/, 'strong'],
  [/(^|[\s(])_(\S(?:[^_\n]*\S)?)_(?=$|[\s).,:;!?])/, 'em'],
  [/(^|[\s(])~(\S(?:[^~\n]*\S)?)~(?=$|[\s).,:;!?])/, 's'],
];

/** Renders the markup that bots use. Everything else is text. */
export function markup(names: Names, text: string): Content[] {
  return text.split(pieces).map((piece) => {
    if (piece.startsWith('```') && piece.length > 6) return h('pre', {}, unescaped(piece.slice(3, -3)));
    if (piece.startsWith('`') && piece.length > 2) return h('code', {}, unescaped(piece.slice(1, -1)));
    if (piece.startsWith('<') && piece.length > 2) return reference(names, piece.slice(1, -1));
    return marked(piece);
  });
}

function marked(text: string): Content {
  for (const [pattern, tag] of marks) {
    const match = pattern.exec(text);
    if (!match) continue;
    const [whole, before = '', inner = ''] = match;
    const rest = text.slice(match.index + whole.length);
    return [marked(text.slice(0, match.index) + before), h(tag, {}, marked(inner)), marked(rest)];
  }
  return unescaped(text);
}

function reference(names: Names, inner: string): VNode {
  const [target = '', label] = inner.split('|');
  if (target.startsWith('@')) return mention(`@${names[target.slice(1)] ?? label ?? target.slice(1)}`);
  if (target.startsWith('#')) return mention(`#${names[target.slice(1)] ?? label ?? target.slice(1)}`);
  if (target.startsWith('!')) return mention(label ?? `@${target.slice(1)}`);
  return link(unescaped(target), unescaped(label ?? target.replace(/^mailto:/, '')));
}

export function mention(text: string): VNode {
  return h('span', { class: 'mention' }, text);
}

/** Only web, email and phone URLs become links. */
export function link(url: string, text: string): VNode {
  if (!/^(https?|mailto|tel):/i.test(url)) return h('span', {}, text);
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, text);
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
