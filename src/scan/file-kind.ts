import { Readable } from 'node:stream';

/** Enough bytes for the file-type library to detect most formats. */
const startBytes = 4_100;

/** Reads the first bytes of a stream. The returned stream has all bytes. */
export async function readStart(stream: Readable): Promise<{ start: Buffer; stream: Readable }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= startBytes) break;
  }
  const start = Buffer.concat(chunks);
  if (stream.readableEnded) return { start, stream: Readable.from([start], { objectMode: false }) };
  stream.unshift(start);
  return { start, stream };
}

/** The usual extension of the detected format; undefined for text and formats without a signature. */
export async function kindOf(start: Buffer): Promise<string | undefined> {
  // Loaded when it is needed, because most processes never detect a format.
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(start.subarray(0, startBytes)))?.ext;
}

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

/** Container formats, each followed by the formats built on it, which can't always be detected. */
const containers = rows(
  'zip docx xlsx pptx docm xlsm pptm dotx xltx potx dotm xltm potm ppsx ppsm vsdx odt ods odp odg ott ots otp jar war ear apk aab ipa epub xpi kmz cbz whl nupkg vsix appx msix key pages numbers idml usdz 3mf',
  'cfb doc xls ppt dot xlt pot pps msi msp msg vsd pub mpp',
  'xml svg xhtml html htm rss atom kml gpx xsd xsl xslt plist drawio',
  'pdf ai',
  'rtf doc',
);

/** The extensions that a file of this kind can have without being disguised. */
export function extensionsOf(kind: string): string[] {
  const similarExtensions = similar.filter((row) => row.includes(kind));
  return [...new Set([kind, ...similarExtensions.flat(), ...containers.filter(([first]) => first === kind).flat()])];
}
