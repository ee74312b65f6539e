/**
 * Copies a value with at most about `maxChars` characters of text. The copy states how much was omitted, so it can't be
 * mistaken for the whole value.
 */
export function truncate(value: unknown, maxChars: number): unknown {
  let remaining = maxChars;
  const truncatePart = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const start = part.slice(0, Math.max(0, remaining));
      remaining -= start.length + 1;
      return start.length === part.length ? part : `${start}… (${part.length - start.length} more characters)`;
    }
    if (typeof part !== 'object' || part === null) {
      remaining -= 8;
      return part;
    }
    if (Array.isArray(part)) {
      const copy: unknown[] = [];
      for (const entry of part) {
        if (remaining <= 0) return [...copy, { omitted: part.length - copy.length }];
        copy.push(truncatePart(entry));
      }
      return copy;
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, entry]) => {
        remaining -= name.length;
        return [name, truncatePart(entry)];
      }),
    );
  };
  return truncatePart(value);
}
