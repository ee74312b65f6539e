import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresFolder {
  path: string;
  remove(): Promise<void>;
}

/**
 * Stops every Postgres with data below the folder, waits for it and removes the folder. The script runs when its stdin
 * closes: when the test is done, or when the test process dies for any reason.
 */
const cleanupScript = `
  read -r _
  runs() {
    { tr '\\0' ' ' < "/proc/$2/cmdline" || ps -ww -o command= -p "$2"; } 2>/dev/null | grep -qF "$1"
  }
  find "$1" -name postmaster.pid | while read -r file; do
    pid=$(head -n 1 "$file")
    if runs "$1" "$pid"; then kill -CONT "$pid"; kill -QUIT "$pid"; fi
    tries=0
    while runs "$1" "$pid" && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
  done
  chmod -R u+rwx "$1"
  rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`;

/** Creates a folder for Postgres data. Other accounts can traverse it, which Postgres needs when tests run as root. */
export async function makePostgresFolder(): Promise<PostgresFolder> {
  const path = await realpath(await mkdtemp(join(await realpath(tmpdir()), 'dropline-test-')));
  await chmod(path, 0o711);
  const cleaner = spawn('sh', ['-c', cleanupScript, 'sh', path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  cleaner.unref();
  (cleaner.stdin as Socket).unref();
  return {
    path,
    async remove() {
      const done = once(cleaner, 'exit');
      cleaner.ref();
      cleaner.stdin.end();
      await done;
    },
  };
}
