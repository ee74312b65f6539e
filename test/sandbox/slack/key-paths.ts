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
