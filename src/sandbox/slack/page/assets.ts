import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, textAnswer } from '../http.ts';
import type { World } from '../world.ts';
import { style } from './style.ts';

/** Where the compiler leaves the scripts. */
const besideThisFile = join(import.meta.dirname, 'client');

/** The style sheet, and the scripts. */
export async function assetAnswer({ pageScripts = besideThisFile }: World, name: string): Promise<Answer> {
  if (name === 'style.css') return textAnswer(200, style, { 'content-type': 'text/css; charset=utf-8' });
  // One plain name, so that nothing else on the disk can be asked for.
  if (!/^[a-z-]+\.js$/.test(name)) return textAnswer(404, 'not found');
  const script = await readFile(join(pageScripts, name), 'utf8').catch(() => undefined);
  if (script === undefined) return textAnswer(404, `${name} is not there: npm run build makes it`);
  return textAnswer(200, script, { 'content-type': 'text/javascript; charset=utf-8' });
}
