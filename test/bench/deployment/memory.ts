import { readFile } from 'node:fs/promises';

/** The resident memory of a local process in megabytes; NaN if unavailable. */
export async function rssMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/**
 * Samples the resident memory of a process until `stop` is called, which resolves with the peak in megabytes, or NaN if
 * a sample was unavailable.
 */
export function watchRss(pid: number): { stop(): Promise<number> } {
  let peak = 0;
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      const rss = await rssMbOf(pid);
      peak = Number.isNaN(rss) ? rss : Math.max(peak, rss);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return peak;
  })();
  return {
    stop() {
      isStopped = true;
      return watching;
    },
  };
}
