/** The bot or a person defines the contents of these keys, so their shape is not compared. */
const opaque = ['blocks', 'attachments', 'values', 'event_payload', 'elements'];

/** The paths of all keys in a value. List items share one path, and an id used as a key becomes `*`. */
export function keyPaths(value: unknown, path = ''): Set<string> {
  const paths = new Set<string>();
  if (Array.isArray(value)) {
    for (const item of value) for (const inner of keyPaths(item, `${path}[]`)) paths.add(inner);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const name = /^[CDGU][A-Z0-9_]{8,}$/.test(key) ? '*' : key;
      const below = path === '' ? name : `${path}.${name}`;
      paths.add(below);
      if (!opaque.includes(key)) for (const deeper of keyPaths(inner, below)) paths.add(deeper);
    }
  }
  return paths;
}

/** The topmost paths that are in `expected` but not in `actual`. */
export function missingPaths(expected: Set<string>, actual: Set<string>): string[] {
  const missing = [...expected].filter((path) => !actual.has(path));
  const isBelow = (path: string) =>
    missing.some((other) => path.startsWith(`${other}.`) || path.startsWith(`${other}[`));
  return missing.filter((path) => !isBelow(path)).sort();
}
