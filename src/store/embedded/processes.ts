import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Whether this process is the Postgres of this data, and not another process with a reused pid. The data folder is
 * always on its command line (see settings.ts). A zombie has no command line.
 */
export async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return line.includes(`\0-D\0${cluster}\0`);
  }
  return (await commandOf(pid)).includes(` -D ${cluster} `);
}

function commandOf(pid: number): Promise<string> {
  return new Promise((resolve) => {
    execFile('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], (_error, stdout) => resolve(stdout));
  });
}

/** Resolves with whether the process ended in time. */
export async function endsWithin(ms: number, cluster: string, pid: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (await isPostmasterOf(cluster, pid)) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}
