/** Undoes Slack's escaping of &, < and > in the plain texts of a view that it sends back. */
export function unescaped<T>(echoed: T): T {
  return unescapePart(echoed) as T;
}

function unescapePart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(unescapePart);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, unescapePart(value)]));
  return copy.type === 'plain_text' && typeof copy.text === 'string'
    ? { ...copy, text: unescapeText(copy.text) }
    : copy;
}

function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
