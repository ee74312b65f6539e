import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, textAnswer } from '../http.ts';
import { style } from './style.ts';

/** The compiler's output folder for the scripts. */
const compiledScripts = join(import.meta.dirname, 'client');

/** Serves the style sheet and the scripts. */
export async function assetAnswer(name: string, scripts = compiledScripts): Promise<Answer> {
  if (name === 'style.css') return textAnswer(200, style, { 'content-type': 'text/css; charset=utf-8' });
  // Only a plain file name, so that no other file can be requested.
  if (!/^[a-z-]+\.js$/.test(name)) return textAnswer(404, 'not found');
  const script = await readFile(join(scripts, name), 'utf8').catch(() => undefined);
  if (script === undefined) return textAnswer(404, `${name} is not there: npm run build makes it`);
  return textAnswer(200, script, { 'content-type': 'text/javascript; charset=utf-8' });
}
