import { readFileSync } from 'node:fs';
import { variableNames } from '../config.ts';
import { envFilePath, readEnvFile } from '../lib/env-file.ts';
import type { Values } from './check-secrets.ts';
import { SetupProblem } from './problem.ts';
import { saveEnvFile } from './save.ts';

/** The file to write, and the values that are set before the first question. */
export interface Target {
  path: string;
  /** The text of the file; undefined if there is none. */
  text: string | undefined;
  inFile: Values;
  /** From the file and the environment. If both set a variable, the environment's value is used. */
  presetValues: Values;
}

export function readTarget(env: NodeJS.ProcessEnv): Target {
  const path = envFilePath(env);
  if (path === undefined) throw new SetupProblem('ENV_FILE is none, so there is no file to write. Unset it.');
  const inFile = readEnvFile(path);
  const set = Object.entries(env).filter(([name, value]) => variableNames.includes(name) && value?.trim());
  return {
    path,
    text: inFile === undefined ? undefined : readFileSync(path, 'utf8'),
    inFile: inFile ?? {},
    presetValues: Object.fromEntries(set) as Values,
  };
}

/** Whether the environment sets another value than the file. Then a change of the file would have no effect. */
export const isFromEnvironment = ({ presetValues, inFile }: Target, name: string) =>
  presetValues[name] !== undefined && presetValues[name] !== inFile[name];

/** Variables that the platform sets, or that are meant for one run. They aren't written to the file. */
const notSaved = ['ENV_FILE', 'PORT', 'HOST', 'LOG_LEVEL'];

/** The values to save: those that the file doesn't have yet. */
export function changesIn({ inFile }: Target, values: Values): Values {
  const changed = ([name, value]: [string, string]) => inFile[name] !== value && !notSaved.includes(name);
  return Object.fromEntries(Object.entries(values).filter(changed));
}

export async function save({ path, text }: Target, changes: Values): Promise<void> {
  try {
    await saveEnvFile(path, text, changes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SetupProblem(
      code === 'EEXIST' ? `${path} was created by another program just now.` : `${path} can't be written: ${message}`,
    );
  }
}
