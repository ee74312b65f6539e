/** Restores the texts of a view that Slack sends back, in which it has escaped &, < and >. */
export function unescaped<T>(echoed: T): T {
  return unescapedPart(echoed) as T;
}

function unescapedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(unescapedPart);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, unescapedPart(inner)]));
  return copy.type === 'plain_text' && typeof copy.text === 'string'
    ? { ...copy, text: unescapedText(copy.text) }
    : copy;
}

function unescapedText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
