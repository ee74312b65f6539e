import { execFile } from 'node:child_process';
import type { Account } from './account.ts';

export interface Ran {
  ok: boolean;
  /** What it said, and why it could not be run, if so. */
  output: string;
}

/**
 * The programs get no environment but this: secrets of the bot stay out of it, and messages come in English.
 * LC_ALL also keeps a Postgres on macOS from starting threads, which it takes for a fault.
 */
export const environment = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

/** The folder may be closed to the account, and Postgres insists on knowing where it is. */
export const workingFolder = '/';

/** Runs one of the short-lived programs to its end. */
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
      // Not every reason comes through the callback: EACCES and EPERM are thrown by some versions of Node.
      resolve({ ok: false, output: String(error) });
    }
  });
}
