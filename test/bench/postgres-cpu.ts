import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const tickMs = 10; // Linux reports hundredths of a second, whatever the kernel's tick rate

/** CPU time that a local Postgres server has used with all its processes; NaN if unavailable. */
export async function postgresCpuMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = (await usageOf(rows[0]?.pid ?? 0))?.parent;
  if (server === undefined) return Number.NaN;
  let ticks = (await usageOf(server))?.withEndedChildren ?? Number.NaN;
  for (const name of await readdir('/proc')) {
    const usage = /^\d+$/.test(name) ? await usageOf(Number(name)) : undefined;
    if (usage?.parent === server) ticks += usage.own;
  }
  return ticks * tickMs;
}

async function usageOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The program name comes first, in brackets, and can contain anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { parent: fields[1], own: user + system, withEndedChildren: user + system + endedUser + endedSystem };
}
