/** A value within a value, by the keys that lead to it. */
export interface Spot {
  path: (string | number)[];
  value: unknown;
}

export function* spots(value: unknown, path: (string | number)[] = []): Iterable<Spot> {
  yield { path, value };
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* spots(entry, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) yield* spots(field, [...path, name]);
  }
}

/** A copy with another value at the end of the path. */
export function replaced(root: unknown, path: (string | number)[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  const copy = structuredClone(root) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

/** A copy without the field at the end of the path. */
export function removed(root: unknown, path: (string | number)[]): unknown {
  const copy = structuredClone(root);
  let parent = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  delete parent[path.at(-1) ?? ''];
  return copy;
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
