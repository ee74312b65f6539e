/**
 * Walks over HTML in one pass, without building a tree. A tree takes a parser that follows the standard quadratic time on
 * pages made for it: a quarter of a megabyte holds a process for a minute. Whoever answers at a service's address could
 * send such a page.
 */
export interface HtmlPieces {
  /** @param end where the tag ends in the page */
  tag?(text: string, end: number): void;
  text?(text: string): void;
}

/** Elements whose content is not markup, or not of the page. */
const opaque = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'template',
  'noscript',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);

/**
 * The case of letters is left to the expressions. A copy in lower case, made before the loop, is made again in every
 * turn of it once V8 has optimised this function: it takes making one for free.
 */
export function walkHtml(html: string, { tag, text }: HtmlPieces): void {
  const tagName = /<([a-z][a-z0-9]{0,20})/iy;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0 || open > at) text?.(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) return;
    at = skipFrom(html, open);
    tagName.lastIndex = open;
    const name = tagName.exec(html)?.[1]?.toLowerCase();
    if (name === undefined) continue;
    tag?.(html.slice(open, at), at);
    if (opaque.has(name)) at = endOf(html, name, at);
  }
}

/** Where the comment, tag or lone bracket at `open` ends. What does not end takes the rest of the page with it. */
function skipFrom(html: string, open: number): number {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return end < 0 ? html.length : end + 3;
  }
  if (!/[a-z/!?]/i.test(html[open + 1] ?? '')) return open + 1;
  let quote = '';
  for (let at = open + 1; at < html.length; at += 1) {
    const character = html[at] as string;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  return html.length;
}

/** Where an element whose content is opaque ends, if it does. */
function endOf(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}
