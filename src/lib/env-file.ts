import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/** ENV_FILE=none: no file is read. */
const none = 'none';

/** The path in ENV_FILE, by default `.env` next to package.json; undefined if no file is read. */
export function envFilePath(env: NodeJS.ProcessEnv): string | undefined {
  const path = env.ENV_FILE?.trim() || fileURLToPath(new URL('../../.env', import.meta.url));
  return path === none ? undefined : path;
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
