import type { Readable } from 'node:stream';
import { peek } from '../lib/peek.ts';

/** Enough bytes for the file-type library, the first entries of most zip files, and the signature of an ISO image. */
const startBytes = 36_864;

/** Reads the first bytes of a stream, to find its kind. The returned stream has all bytes. */
export const readStart = (stream: Readable) => peek(stream, startBytes);

/** The usual extension of the detected format. Without a signature: `text`, or `binary` if there is a NUL character. */
export async function kindOf(bytes: Buffer): Promise<string> {
  const start = bytes.subarray(0, startBytes);
  // The library takes the byte order mark of UTF-16 for audio.
  const isUtf16 = /^(\xff\xfe|\xfe\xff)/.test(start.toString('latin1', 0, 2));
  const kind = isUtf16 ? undefined : await signatureOf(start);
  return kind ?? (start.toString(isUtf16 ? 'utf16le' : 'latin1').includes('\0') ? 'binary' : 'text');
}

async function signatureOf(start: Buffer): Promise<string | undefined> {
  // Loaded when it is needed, because most processes never detect a format.
  const { fileTypeFromBuffer } = await import('file-type');
  const kind = (await fileTypeFromBuffer(start))?.ext;
  // Only then, because these five bytes can be put into a file of any other type.
  if (kind === undefined && start.toString('latin1', 0x8001, 0x8006) === 'CD001') return 'iso';
  if (kind !== 'zip') return kind;
  // The library recognises these only if the list of content types, or the manifest, is among the first entries.
  const entries = start.toString('latin1').split('PK\x03\x04').slice(1);
  const [, folder = ''] = entries.map((entry) => entryName.exec(entry)).find((match) => match !== null) ?? [];
  return folders[folder] ?? kind;
}

/** The name of a zip entry that only one format has, after the 26 bytes of its header. */
const entryName = /^[\s\S]{26}\/?((?:word|xl|ppt|visio|META-INF)(?=\/)|AndroidManifest\.xml)/;

const folders: Record<string, string> = {
  word: 'docx',
  xl: 'xlsx',
  ppt: 'pptx',
  visio: 'vsdx',
  'META-INF': 'jar',
  'AndroidManifest.xml': 'apk',
};

const rows = (...texts: string[]) => texts.map((text) => text.split(' '));

/** Extensions of formats that can't be distinguished reliably, because they are similar or often mixed up. */
const similar = rows(
  'exe dll scr com sys cpl ocx drv efi mui',
  'elf so o ko bin axf',
  'macho dylib bundle',
  'jpg jpeg jpe jfif',
  'tif tiff dng nef cr2 arw',
  'mp4 m4v m4a m4b mov qt 3gp heic heif f4v',
  'mpg mpeg m2v vob mp1 mp2 mp3',
  'ogg oga ogv ogx ogm opus spx',
  'asf wmv wma wm',
  'mkv mka webm',
  'gz tgz gzip svgz',
  'bz2 tbz tbz2',
  'xz txz',
  'zst tzst',
  'ps eps ai',
  'mid midi',
  'aif aiff aifc',
  'ttf otf ttc',
  'sqlite sqlite3 db',
  'pgp asc gpg sig',
);

/** Container formats, each followed by the formats built on it that can't always be detected. */
const containers = rows(
  'zip aab ipa xpi kmz cbz whl nupkg vsix appx msix key pages numbers idml usdz 3mf',
  'docx docm dotx dotm',
  'xlsx xlsm xlsb xltx xltm',
  'pptx pptm potx potm ppsx ppsm',
  'jar war ear apk',
  // Office encrypts a file with a password in such a container, without changing its extension.
  'cfb doc xls ppt dot xlt pot pps msi msp msg vsd pub mpp docx docm xlsx xlsm xlsb pptx pptm vsdx',
  'xml svg xhtml html htm rss atom kml gpx xsd xsl xslt plist drawio',
  'pdf ai',
  'rtf doc',
);

/** Extensions of formats that are text, or whose content has no signature. Some are used for other formats too. */
const withoutSignature: Record<string, string[]> = {
  text: 'txt text csv tsv tab md rst adoc tex log json jsonl ndjson geojson xml svg xhtml html htm rss atom kml gpx xsd xsl xslt plist drawio css scss less js mjs cjs jsx ts mts tsx vue sql yaml yml toml ini conf cfg env properties sh bash bat cmd ps1 vbs py rb pl php go rs java kt c h cc cpp hpp cs swift r ipynb eml mbox ics vcf ldif srt vtt diff patch po pot dot pem crt cer csr key pub asc sig pgp dxf step stp iges igs stl obj ply reg'.split(
    ' ',
  ),
  binary: 'bin com db dmg o sav gpg pgp sig key pub crt cer stl plist'.split(' '),
};

/** The extensions that a file of this kind can have without being disguised. */
export function extensionsOf(kind: string): string[] {
  const others = [...similar.filter((row) => row.includes(kind)), ...containers.filter(([first]) => first === kind)];
  return [...new Set([kind, ...others.flat(), ...(withoutSignature[kind] ?? [])])];
}

/** Whether it is known how files with this extension begin. */
export async function isKnown(extension: string): Promise<boolean> {
  const known = [...similar, ...containers, ...Object.values(withoutSignature)];
  const { supportedExtensions } = await import('file-type');
  // The library only means files of the Windows registry.
  const isSupported = extension !== 'dat' && (supportedExtensions as ReadonlySet<string>).has(extension);
  return isSupported || known.some((row) => row.includes(extension));
}
