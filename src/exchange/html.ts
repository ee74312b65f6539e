/** Called by `walkHtml` for each opening tag and each text, in the order of the page. */
export interface HtmlVisitor {
  /** @param end where the tag ends in the page */
  tag?(text: string, end: number): void;
  text?(text: string): void;
}

/** Elements whose content isn't markup, or isn't part of the visible page. */
const opaqueElements = new Set([
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
 * Visits the opening tags and texts of HTML in one pass, without building a tree. A standard tree parser takes
 * quadratic time on hostile pages, which any server at a service's address can send: 250 KB would block the process for
 * a minute.
 *
 * The regular expressions ignore case. Don't convert the page to lower case before the loop: once V8 has optimised this
 * function, it repeats the conversion in every iteration.
 */
export function walkHtml(html: string, { tag, text }: HtmlVisitor): void {
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
    if (opaqueElements.has(name)) at = endOf(html, name, at);
  }
}

/** Where the comment, tag or lone bracket at `open` ends: at the end of the page if it is never closed. */
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

/** Where an opaque element ends: at the end of the page if it is never closed. */
function endOf(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}
