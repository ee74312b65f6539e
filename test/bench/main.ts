/** `npm run bench`: what moving and polling costs, as ratios to an anchor that is measured in the same run. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, table } from './figures.ts';
import { has, runScript, startServers, timeShell } from './processes.ts';

interface Run {
  ms: number;
  cpuMs: number;
  rssMb?: number;
}

const mib = 1024 * 1024;
const rounds = 5;
const print = (text: string) => process.stdout.write(text);

const { port, child } = await startServers();
const origin = `http://127.0.0.1:${port}`;
const form = "-F do=upload -F 'file=@/dev/stdin;filename=x.bin'";
const curlUp = (bytes: number) =>
  `curl -sS ${origin}/bytes/${bytes} | curl -sS ${form} ${origin}/0/cgi/upload.cgi >/dev/null`;
const curlDown = (bytes: number) => `curl -sS ${origin}/bytes/${bytes} | curl -sS -T - ${origin}/sink >/dev/null`;
const atOnce = (command: string, times: number) => `for i in $(seq ${times}); do { ${command}; } & done; wait`;

const relays = [
  { name: 'upload, 1 x 1 GiB', direction: 'upload', files: 1, bytes: 1024 * mib, curl: curlUp(1024 * mib) },
  {
    name: 'upload, 50 x 16 MiB at once',
    direction: 'upload',
    files: 50,
    bytes: 16 * mib,
    curl: atOnce(curlUp(16 * mib), 50),
  },
  { name: 'download, 1 x 1 GiB', direction: 'download', files: 1, bytes: 1024 * mib, curl: curlDown(1024 * mib) },
];

async function benchRelays(): Promise<void> {
  const withCurl = await has('curl');
  if (!withCurl) print('curl is not installed: the relays are shown without their anchor.\n');
  const rows: string[][] = [];
  for (const { name, direction, files, bytes, curl } of relays) {
    const ours: Run[] = [];
    const anchor: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      if (withCurl) anchor.push(await timeShell(curl));
      ours.push(JSON.parse(await runScript('relay', direction, port, files, bytes)));
    }
    const of = (runs: Run[], field: keyof Run) => median(runs.map((run) => run[field] ?? 0));
    const rate = (files * bytes) / mib / (of(ours, 'ms') / 1000);
    rows.push([
      name,
      withCurl ? (of(anchor, 'ms') / of(ours, 'ms')).toFixed(2) : '-',
      `${rate.toFixed(0)} MiB/s`,
      `${(of(ours, 'cpuMs') / 1000).toFixed(2)} s`,
      withCurl ? `${(of(anchor, 'cpuMs') / 1000).toFixed(2)} s` : '-',
      `${Math.max(...ours.map(({ rssMb = 0 }) => rssMb)).toFixed(0)} MB`,
    ]);
  }
  const head = ['relay', 'x curl | curl', 'rate', 'CPU', 'CPU of curl', 'peak RSS'];
  print(table(`Relays: how fast against the curl pipe (above 1 is faster), medians of ${rounds}`, head, rows));
}

async function benchPolls(): Promise<void> {
  const rows: string[][] = [];
  for (const entries of [1, 1000, 50_000]) {
    const repeats = entries < 50_000 ? 100 : 8;
    const { bytes, figures } = JSON.parse(await runScript('poll', port, entries, repeats));
    const rss = Number(await runScript('poll-memory', port, entries));
    const [parse] = figures;
    for (const { name, ms, heldMs } of figures.slice(1)) {
      rows.push([
        `${entries} entries, ${(bytes / 1000).toFixed(0)} KB: ${name}`,
        `${ms.toFixed(2)} ms`,
        (ms / parse.ms).toFixed(2),
        (ms / figures[1].ms).toFixed(2),
        `${heldMs.toFixed(0)} ms`,
        name === 'changed poll' ? `${rss.toFixed(0)} MB` : '',
      ]);
    }
  }
  const head = ['history', 'time', 'x JSON.parse', 'x plain poll', 'loop held', 'peak RSS'];
  print(
    table(
      'Polls: cost against JSON.parse of the same body, and against asking and parsing it (below 1 is cheaper)',
      head,
      rows,
    ),
  );
}

/** Runs what needs a Postgres, in a folder that the account which runs Postgres for root can enter. */
async function withDataDir(work: (dataDir: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-bench-'));
  await chmod(folder, 0o711);
  try {
    await work(join(folder, 'data'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchPolling(): Promise<void> {
  await withDataDir(async (dataDir) => {
    const [workspaces, everyMs] = [1000, 6000];
    const figures = JSON.parse(await runScript('polling', dataDir, port, workspaces, everyMs, 3));
    const { bareMs, ownMs, postgresMs, transactions, lagP50, lagP99, rssMb } = figures;
    const share = (ms: number, many: number) => `${((ms * many) / 600).toFixed(1)} %`;
    const row = (name: string, ms: number) => [
      name,
      `${ms.toFixed(2)} ms`,
      (ms / bareMs).toFixed(1),
      share(ms, 1_000),
      share(ms, 10_000),
    ];
    const rows = [row('bare reading', bareMs), row('ours', ownMs), row('its Postgres', postgresMs)];
    const head = ['processor', 'a poll', 'x bare', '1,000 a minute', '10,000 a minute'];
    print(
      table(`${workspaces} workspaces polled every ${everyMs / 1000} s by one process, nothing changed`, head, rows),
    );
    print(`\n${transactions.toFixed(1)} transactions a poll. From due to done: median ${lagP50.toFixed(0)} ms, `);
    print(`99 % within ${lagP99.toFixed(0)} ms, of which up to 1000 are the look at whose turn it is. `);
    print(`Peak RSS ${rssMb.toFixed(0)} MB.\n`);
  });
}

async function benchJobs(): Promise<void> {
  await withDataDir(async (dataDir) => {
    const { firstStartMs, warmStartMs, bare, ours } = JSON.parse(await runScript('jobs', dataDir, 2000, 3));
    const rows = [
      ['bare graphile-worker', `${bare.toFixed(0)}/s`, '1.00'],
      ['ours', `${ours.toFixed(0)}/s`, (ours / bare).toFixed(2)],
    ];
    print(table('Trivial jobs, ten at a time in one process, medians of 3', ['engine', 'jobs', 'x bare'], rows));
    print(`\nEmbedded Postgres: first start ${firstStartMs.toFixed(0)} ms, later ${warmStartMs.toFixed(0)} ms\n`);
  });
}

try {
  await benchRelays();
  await benchPolls();
  await benchPolling();
  await benchJobs();
} finally {
  child.kill();
}
