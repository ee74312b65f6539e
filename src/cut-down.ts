/**
 * A copy of a value with about `chars` characters of text at most. It says how much was left out, so that a part is
 * never taken for the whole.
 */
export function cutDown(value: unknown, chars: number): unknown {
  let left = chars;
  const cut = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const kept = part.slice(0, Math.max(0, left));
      left -= kept.length + 1;
      return kept.length === part.length ? part : `${kept}… (${part.length - kept.length} more characters)`;
    }
    if (typeof part !== 'object' || part === null) {
      left -= 8;
      return part;
    }
    if (Array.isArray(part)) {
      const kept: unknown[] = [];
      for (const entry of part) {
        if (left <= 0) return [...kept, `… (${part.length - kept.length} more)`];
        kept.push(cut(entry));
      }
      return kept;
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, entry]) => {
        left -= name.length;
        return [name, cut(entry)];
      }),
    );
  };
  return cut(value);
}
