import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { galleryHtml } from './page.ts';

// The compiled program is in .gallery/test/gallery.
const path = resolve(import.meta.dirname, '../../index.html');
await writeFile(path, await galleryHtml());
process.stdout.write(`${path}\n`);
