/**
 * Walks over HTML in one pass, without building a tree. A tree takes a parser that follows the standard quadratic time on
 * pages made for it: a quarter of a megabyte holds a process for a minute. Whoever answers at a service's address could
 * send such a page.
 */
export interface HtmlPieces {
  tag?(text: string): void;
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

export function walkHtml(html: string, { tag, text }: HtmlPieces): void {
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0 || open > at) text?.(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) return;
    at = skipFrom(html, lower, open);
    const name = /^<([a-z][a-z0-9]*)/.exec(lower.slice(open, open + 20))?.[1];
    if (name === undefined) continue;
    tag?.(html.slice(open, at));
    if (opaque.has(name)) at = indexOrEnd(lower, `</${name}`, at);
  }
}

/** Where the comment, tag or lone bracket at `open` ends. What does not end takes the rest of the page with it. */
function skipFrom(html: string, lower: string, open: number): number {
  if (lower.startsWith('<!--', open)) return indexOrEnd(html, '-->', open + 4, 3);
  if (!/[a-z/!?]/.test(lower[open + 1] ?? '')) return open + 1;
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

function indexOrEnd(text: string, what: string, from: number, past = 0): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found + past;
}
