import { bounds } from '../../bounds.ts';

const mostBytes = 255;

/** The name under which a receiver gets a file: the last part of it, without what a computer could take for more than a name. */
export function safeName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const visible = bounded(base)
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .normalize('NFC') // what they stood between may belong together
    .replace(/[\p{Cc}\p{Zl}\p{Zp}<>:"|?*]/gu, '_');
  const plain = trimmed(visible);
  // Shortened twice: cutting can leave a reserved name, and the sign before it takes a byte.
  return shorten(unreserved(shorten(plain === '' ? 'file' : plain, mostBytes)), mostBytes);
}

/** Direction marks make "exe.pdf" of "fdp.exe"; other invisible characters make two names look alike. Emoji need three kinds. */
const invisible = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/** Start and end, which has the extension. No regular expression sees more of a stranger's name. */
function bounded(name: string): string {
  const { shownNameChars: most } = bounds;
  return name.length <= most ? name : `${name.slice(0, most - 100)}${name.slice(-100)}`;
}

/** Without spaces and dots at either end. A loop: `/[\s.]+$/` takes quadratic time. */
function trimmed(name: string): string {
  const isTrimmed = (at: number) => /[\s.]/.test(name[at] as string);
  let start = 0;
  let end = name.length;
  while (start < end && isTrimmed(start)) start += 1;
  while (end > start && isTrimmed(end - 1)) end -= 1;
  return name.slice(start, end);
}

/** Windows takes these for devices, whatever the extension. */
const reserved = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³]) *(\.|$)/i;
const unreserved = (name: string) => (reserved.test(name) ? `_${name}` : name);

/** All different, also to the eye and for a file system that takes "A.pdf" and "a.pdf" for the same. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const safe = safeName(name);
    const [stem, extension] = split(safe);
    let unique = safe;
    for (let number = 2; taken.has(looksOf(unique)); number += 1) {
      const suffix = ` (${number})${extension}`;
      unique = `${shorten(stem, mostBytes - Buffer.byteLength(suffix))}${suffix}`;
    }
    taken.add(looksOf(unique));
    return unique;
  });
}

/** The same for names that people can't tell apart. */
const looksOf = (name: string) => name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase();

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
  return trimmed(`${kept.trimEnd()}${extension}`);
}
