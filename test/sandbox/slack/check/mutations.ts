/** A nested value and the keys that lead to it. */
export interface Member {
  path: (string | number)[];
  value: unknown;
}

export function* membersOf(value: unknown, path: (string | number)[] = []): Iterable<Member> {
  yield { path, value };
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* membersOf(entry, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) yield* membersOf(field, [...path, name]);
  }
}

/** A copy with another value at the end of the path. */
export function replaced(root: unknown, path: (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = copied(root);
  copy[key] = replaced(copy[key], rest, value);
  return copy;
}

/** A copy without the field at the end of the path. */
export function removed(root: unknown, path: (string | number)[]): unknown {
  const [key, ...rest] = path;
  const copy = copied(root);
  if (key === undefined) return copy;
  if (rest.length === 0) delete copy[key];
  else copy[key] = removed(copy[key], rest);
  return copy;
}

function copied(value: unknown): Record<string | number, unknown> {
  return Array.isArray(value) ? Object(value.slice()) : { ...Object(value) };
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
