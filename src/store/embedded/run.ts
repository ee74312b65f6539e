import { execFile } from 'node:child_process';
import type { Account } from './account.ts';

/**
 * The complete environment of the programs, without the bot's secrets and with messages in English. On macOS, LC_ALL
 * also keeps Postgres from starting threads, which it treats as an error.
 */
export const environment = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

/** Postgres must be able to read its working folder, and the account might have no access to the bot's. */
export const workingFolder = '/';

/** Runs a short-lived program to its end. `output` has its output, or the reason why it could not be run. */
export function run(
  file: string,
  args: string[],
  account: Account | undefined,
): Promise<{ ok: boolean; output: string }> {
  const identity = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  return new Promise((resolve) => {
    const options = { ...identity, env: environment, cwd: workingFolder, timeout: 120_000 };
    try {
      execFile(file, args, options, (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`.trim();
        resolve({ ok: error === null, output: output === '' && error !== null ? error.message : output });
      });
    } catch (error) {
      // Some versions of Node throw EACCES and EPERM instead of passing them to the callback.
      resolve({ ok: false, output: String(error) });
    }
  });
}
