import { execFile } from 'node:child_process';
import type { Account } from './account.ts';

export interface Ran {
  ok: boolean;
  /** What it printed, or why it could not be run. */
  output: string;
}

/**
 * The whole environment of the programs: it keeps out the bot's secrets, and makes messages English.
 * LC_ALL also keeps a Postgres on macOS from starting threads, which it treats as an error.
 */
export const environment = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

/** The current folder can be closed to the account, and Postgres must be able to find out where it is. */
export const workingFolder = '/';

/** Runs a short-lived program to its end. */
export function run(file: string, args: string[], account: Account | undefined): Promise<Ran> {
  const identity = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  return new Promise((resolve) => {
    const options = { ...identity, env: environment, cwd: workingFolder, timeout: 120_000 };
    try {
      execFile(file, args, options, (error, stdout, stderr) => {
        const said = `${stdout}${stderr}`.trim();
        resolve({ ok: error === null, output: said === '' && error !== null ? error.message : said });
      });
    } catch (error) {
      // Some versions of Node throw EACCES and EPERM instead of passing them to the callback.
      resolve({ ok: false, output: String(error) });
    }
  });
}
