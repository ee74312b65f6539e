import { median, table } from '../figures.ts';
import { isInstalled, runScript, timeShell } from '../processes.ts';
import type { Bench, Part } from './part.ts';

interface Run {
  ms: number;
  cpuMs: number;
  rssMb?: number;
}

const mib = 1024 * 1024;
const rounds = 3;

interface Relay {
  name: string;
  direction: string;
  files: number;
  bytes: number;
  /** The shell command that relays the same bytes without Dropline. It never scans them. */
  curl: string;
  /** Whether the file also goes to a malware scanner. */
  isScanned?: boolean;
}

function relaysAt(port: string): Relay[] {
  const origin = `http://127.0.0.1:${port}`;
  const form = "-F do=upload -F 'file=@/dev/stdin;filename=x.bin'";
  const curlUp = (bytes: number) =>
    `curl -sS ${origin}/bytes/${bytes} | curl -sS ${form} ${origin}/0/cgi/upload.cgi >/dev/null`;
  const curlDown = (bytes: number) => `curl -sS ${origin}/bytes/${bytes} | curl -sS -T - ${origin}/sink >/dev/null`;
  const atOnce = (command: string, times: number) => `for i in $(seq ${times}); do { ${command}; } & done; wait`;
  return [
    { name: 'upload, 1 x 1 GiB', direction: 'upload', files: 1, bytes: 1024 * mib, curl: curlUp(1024 * mib) },
    {
      name: 'upload, 50 x 16 MiB at once',
      direction: 'upload',
      files: 50,
      bytes: 16 * mib,
      curl: atOnce(curlUp(16 * mib), 50),
    },
    { name: 'download, 1 x 1 GiB', direction: 'download', files: 1, bytes: 1024 * mib, curl: curlDown(1024 * mib) },
    ...(['upload', 'download'] as const).map((direction) => ({
      name: `${direction}, 1 x 1 GiB, scanned`,
      direction,
      files: 1,
      bytes: 1024 * mib,
      curl: (direction === 'upload' ? curlUp : curlDown)(1024 * mib),
      isScanned: true,
    })),
  ];
}

async function run({ port, print, addFigure }: Bench): Promise<void> {
  const withCurl = await isInstalled('curl');
  if (!withCurl) print('curl is not installed, so there is no baseline for the relays.\n');
  const rows: string[][] = [];
  for (const { name, direction, files, bytes, curl, isScanned } of relaysAt(port)) {
    const ours: Run[] = [];
    const baseline: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      if (withCurl) baseline.push(await timeShell(curl));
      ours.push(JSON.parse(await runScript('relay', direction, port, files, bytes, isScanned ? 'scanned' : '')));
    }
    const medianOf = (runs: Run[], field: keyof Run) => median(runs.map((run) => run[field] ?? 0));
    const rate = (files * bytes) / mib / (medianOf(ours, 'ms') / 1000);
    const peakRssMb = Math.max(...ours.map(({ rssMb = 0 }) => rssMb));
    if (withCurl) {
      addFigure({
        name: `${name}, speed`,
        value: medianOf(baseline, 'ms') / medianOf(ours, 'ms'),
        unit: 'x curl',
        better: 'higher',
      });
      const cpuRatio = medianOf(ours, 'cpuMs') / medianOf(baseline, 'cpuMs');
      addFigure({ name: `${name}, CPU`, value: cpuRatio, unit: 'x curl', better: 'lower' });
    }
    addFigure({ name: `${name}, peak RSS`, value: peakRssMb, unit: 'MB', better: 'lower' });
    rows.push([
      name,
      withCurl ? (medianOf(baseline, 'ms') / medianOf(ours, 'ms')).toFixed(2) : '-',
      `${rate.toFixed(0)} MiB/s`,
      `${(medianOf(ours, 'cpuMs') / 1000).toFixed(2)} s`,
      withCurl ? `${(medianOf(baseline, 'cpuMs') / 1000).toFixed(2)} s` : '-',
      `${peakRssMb.toFixed(0)} MB`,
    ]);
  }
  const head = ['relay', 'x curl | curl', 'rate', 'CPU', 'CPU of curl', 'peak RSS'];
  print(table(`Relays: speed compared with the curl pipe (above 1 is faster), medians of ${rounds}`, head, rows));
}

export const relays: Part = { name: 'relays', description: 'uploads and downloads of the client library', run };
