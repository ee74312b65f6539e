import { type Content, h } from './dom.ts';
import { dateIn } from './format.ts';
import type { Json } from './state.ts';
import { link, mention, type Names } from './text.ts';

/** Renders a rich text block or a part of one. */
export function richText(names: Names, value: Json): Content {
  const inner = () =>
    Array.isArray(value.elements) ? value.elements.map((child: Json) => richText(names, child)) : [];
  switch (value.type) {
    case 'rich_text':
      return inner();
    case 'rich_text_section':
      return h('div', { class: 'rich-section' }, inner());
    case 'rich_text_list': {
      const items = (value.elements as Json[]).map((child) => h('li', {}, richText(names, child)));
      return h(value.style === 'ordered' ? 'ol' : 'ul', { class: `indent-${Number(value.indent ?? 0)}` }, items);
    }
    default:
      return styled(value, leaf(names, value));
  }
}

function leaf(names: Names, value: Json): Content {
  switch (value.type) {
    case 'text':
      return String(value.text);
    case 'link':
      return link(String(value.url), String(value.text ?? value.url));
    case 'user':
      return mention(`@${names[String(value.user_id)] ?? value.user_id}`);
    case 'channel':
      return mention(`#${names[String(value.channel_id)] ?? value.channel_id}`);
    default:
      return dateIn(Number(value.timestamp), String(value.format), String(value.fallback ?? ''));
  }
}

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const;

function styled({ style }: Json, content: Content): Content {
  const applied = Object.entries(tags).filter(([name]) => (style as Json | undefined)?.[name] === true);
  return applied.reduce<Content>((inner, [, tag]) => h(tag, {}, inner), content);
}
