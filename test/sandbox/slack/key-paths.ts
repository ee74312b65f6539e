/** Below these, the shape is the bot's or the person's, and not Slack's. */
const foreign = ['blocks', 'attachments', 'values', 'event_payload', 'elements'];

/** The paths of all keys in a value. Lists count as one of each, and ids as names of keys are a star. */
export function keyPaths(value: unknown, path = ''): Set<string> {
  const paths = new Set<string>();
  if (Array.isArray(value)) {
    for (const item of value) for (const inner of keyPaths(item, `${path}[]`)) paths.add(inner);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const name = /^[CDGU][A-Z0-9_]{8,}$/.test(key) ? '*' : key;
      const below = path === '' ? name : `${path}.${name}`;
      paths.add(below);
      if (!foreign.includes(key)) for (const deeper of keyPaths(inner, below)) paths.add(deeper);
    }
  }
  return paths;
}

/** Of the paths that one has and the other has not, the topmost. */
export function lacking(wanted: Set<string>, having: Set<string>): string[] {
  const missing = [...wanted].filter((path) => !having.has(path));
  const isBelow = (path: string) =>
    missing.some((other) => path.startsWith(`${other}.`) || path.startsWith(`${other}[`));
  return missing.filter((path) => !isBelow(path)).sort();
}
