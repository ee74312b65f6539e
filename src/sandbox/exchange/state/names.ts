import { Refusal } from './refusal.ts';

/** Refuses only empty names, `.`, `..` and NUL. Slashes are allowed, because a name never becomes a path. */
export function checkFileName(name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('\0')) {
    throw new Refusal(400, 'this is no file name');
  }
  return name;
}

/** Adds the first free numeric suffix if the name is taken. */
export function uniqueName(name: string, taken: { name: string }[]): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let unique = name;
  for (let suffix = 1; taken.some((file) => file.name === unique); suffix++) unique = `${stem}_${suffix}${extension}`;
  return unique;
}

export function humanSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  // 999.95 would be shown as 1000.0
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}

/** RFC 6266: an ASCII fallback for old clients, and the real name in UTF-8 (RFC 5987). */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  let encoded = '';
  for (const byte of Buffer.from(name)) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9!#$&+.^_`|~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The media type that the uploader sent, or a generic one if that is malformed. */
export function mediaType(type: string | undefined): string {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[ -~]*)?$/.test(type ?? '') && type ? type : 'application/octet-stream';
}
