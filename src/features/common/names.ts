import { bounds } from '../../lib/bounds.ts';

const maxBytes = 255;

/** The file name that recipients get: the last path segment, without invisible and reserved characters. */
export function safeName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const visible = cutMiddle(base)
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .normalize('NFC') // again, because removing characters can bring combining ones together
    .replace(/[\p{Cc}\p{Zl}\p{Zp}<>:"|?*]/gu, '_');
  const plain = trimDotsAndSpaces(visible);
  // Shortened twice: shortening can produce a reserved name, and `avoidReserved` then adds a byte.
  return shorten(avoidReserved(shorten(plain === '' ? 'file' : plain, maxBytes)), maxBytes);
}

/**
 * Direction marks can make "fdp.exe" look like "exe.pdf". Other invisible characters make different names look the
 * same. Keeps the joiners and variation selectors, which emoji need.
 */
const invisible = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/** Keeps the start, and the end with the extension, so that no regular expression runs on an unbounded name. */
function cutMiddle(name: string): string {
  const { shownNameChars: maxLength } = bounds;
  return name.length <= maxLength ? name : `${name.slice(0, maxLength - 100)}${name.slice(-100)}`;
}

/** Removes spaces and dots at both ends. Uses a loop because `/[\s.]+$/` takes quadratic time. */
function trimDotsAndSpaces(name: string): string {
  const isDotOrSpace = (at: number) => /[\s.]/.test(name[at] as string);
  let start = 0;
  let end = name.length;
  while (start < end && isDotOrSpace(start)) start += 1;
  while (end > start && isDotOrSpace(end - 1)) end -= 1;
  return name.slice(start, end);
}

/** Windows treats these names as devices, with any extension. */
const reserved = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³]) *(\.|$)/i;
const avoidReserved = (name: string) => (reserved.test(name) ? `_${name}` : name);

/** Makes all names safe and distinct, even for people and file systems that ignore case. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const safe = safeName(name);
    const [stem, extension] = split(safe);
    let unique = safe;
    for (let number = 2; taken.has(visibleForm(unique)); number += 1) {
      const suffix = ` (${number})${extension}`;
      unique = `${shorten(stem, maxBytes - Buffer.byteLength(suffix))}${suffix}`;
    }
    taken.add(visibleForm(unique));
    return unique;
  });
}

/** Names that look the same have the same visible form. */
const visibleForm = (name: string) => name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase();

function split(name: string): [stem: string, extension: string] {
  const at = name.lastIndexOf('.');
  const isExtension = at > 0 && name.length - at <= 20;
  return isExtension ? [name.slice(0, at), name.slice(at)] : [name, ''];
}

/** Shortens the stem, never the extension. Never splits a character. */
function shorten(name: string, limit: number): string {
  if (Buffer.byteLength(name) <= limit) return name;
  const [stem, extension] = split(name);
  const room = limit - Buffer.byteLength(extension);
  let end = 0;
  let bytes = 0;
  for (const character of stem) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    end += character.length;
  }
  return trimDotsAndSpaces(`${stem.slice(0, end).trimEnd()}${extension}`);
}
