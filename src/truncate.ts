/**
 * Copies a value with at most about `chars` characters of text. The copy states how much was omitted, so it can't be
 * mistaken for the whole.
 */
export function truncate(value: unknown, chars: number): unknown {
  let remaining = chars;
  const cut = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const kept = part.slice(0, Math.max(0, remaining));
      remaining -= kept.length + 1;
      return kept.length === part.length ? part : `${kept}… (${part.length - kept.length} more characters)`;
    }
    if (typeof part !== 'object' || part === null) {
      remaining -= 8;
      return part;
    }
    if (Array.isArray(part)) {
      const kept: unknown[] = [];
      for (const entry of part) {
        if (remaining <= 0) return [...kept, `… (${part.length - kept.length} more)`];
        kept.push(cut(entry));
      }
      return kept;
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, entry]) => {
        remaining -= name.length;
        return [name, cut(entry)];
      }),
    );
  };
  return cut(value);
}
