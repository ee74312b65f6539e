import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { makePostgresFolder } from './postgres-folder.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';

/** Starts PgBouncer in front of a database until the test ends. Resolves with the database's URL through it. */
export async function startPgBouncer(databaseUrl: string, mode: PoolMode): Promise<string> {
  const folder = await makePostgresFolder();
  const { username, hostname, pathname, searchParams, port: urlPort } = new URL(databaseUrl);
  const [host, port] = [searchParams.get('host') ?? hostname, searchParams.get('port') ?? urlPort];
  const listenPort = await freePort(0);
  const file = join(folder.path, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
test = host=${host} port=${port} dbname=${pathname.slice(1)} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 25
`,
  );
  // PgBouncer doesn't run as root, and only the owner of a socket's folder can access it.
  const owner = process.getuid?.() === 0 && host.startsWith('/') ? await stat(host) : undefined;
  const account = owner && { uid: owner.uid, gid: owner.gid };
  const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'], ...account });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await folder.remove();
  });
  let log = '';
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    log += chunk;
    if (log.includes('process up')) break;
  }
  if (!log.includes('process up')) throw new Error(`pgbouncer ended: ${log}`);
  child.stderr.resume();
  return `postgresql://anyone@127.0.0.1:${listenPort}/test`;
}
