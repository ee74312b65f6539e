const mostBytes = 255;

/** The name under which a receiver gets a file: the last part of it, without what a computer could take for more than a name. */
export function safeName(name: string): string {
  const base = name.normalize('NFC').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = base
    .replace(/[\p{Bidi_Control}\ufeff]/gu, '') // these make "exe.pdf" of "fdp.exe"
    .normalize('NFC') // what they stood between may belong together
    .replace(/[\p{Cc}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return shorten(plain === '' ? 'file' : plain, mostBytes);
}

/** All different, also for a file system that takes "A.pdf" and "a.pdf" for the same. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const safe = safeName(name);
    const [stem, extension] = split(safe);
    let unique = safe;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) {
      const suffix = ` (${number})${extension}`;
      unique = `${shorten(stem, mostBytes - Buffer.byteLength(suffix))}${suffix}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  });
}

function split(name: string): [stem: string, extension: string] {
  const at = name.lastIndexOf('.');
  const isExtension = at > 0 && name.length - at <= 20;
  return isExtension ? [name.slice(0, at), name.slice(at)] : [name, ''];
}

/** Cuts the stem, never the extension, and never within a character. */
function shorten(name: string, most: number): string {
  if (Buffer.byteLength(name) <= most) return name;
  const [stem, extension] = split(name);
  const room = most - Buffer.byteLength(extension);
  let kept = '';
  for (const character of stem) {
    if (Buffer.byteLength(kept) + Buffer.byteLength(character) > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}${extension}`.replace(/[\s.]+$/, '');
}
