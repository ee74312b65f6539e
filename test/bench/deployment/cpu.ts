import { readdir, readFile } from 'node:fs/promises';

/** CPU time of a local process with all its threads, in milliseconds; NaN if unavailable. */
export async function cpuMsOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '0')),
  );
  if (threads.length === 0) return Number.NaN;
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6;
}
