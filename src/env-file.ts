import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/** ENV_FILE=none: no file is read. */
const none = 'none';

/** The file with variables: `.env` next to package.json, unless ENV_FILE names another one. */
export function envFilePath(env: NodeJS.ProcessEnv): string | undefined {
  const named = env.ENV_FILE?.trim() || fileURLToPath(new URL('../.env', import.meta.url));
  return named === none ? undefined : named;
}

/** The variables in the file; undefined if it doesn't exist. */
export function readEnvFile(path: string): Record<string, string> | undefined {
  try {
    return parseEnv(readFileSync(path, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
