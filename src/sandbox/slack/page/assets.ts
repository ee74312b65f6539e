import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, textAnswer } from '../http.ts';
import { style } from './style.ts';

const scripts = join(import.meta.dirname, 'client');

/** The style sheet, and the scripts as the compiler leaves them beside this file. */
export async function assetAnswer(name: string): Promise<Answer> {
  if (name === 'style.css') return textAnswer(200, style, { 'content-type': 'text/css; charset=utf-8' });
  // One plain name, so that nothing else on the disk can be asked for.
  if (!/^[a-z-]+\.js$/.test(name)) return textAnswer(404, 'not found');
  const script = await readFile(join(scripts, name), 'utf8').catch(() => undefined);
  if (script === undefined) return textAnswer(404, `${name} is not there: npm run build makes it`);
  return textAnswer(200, script, { 'content-type': 'text/javascript; charset=utf-8' });
}
