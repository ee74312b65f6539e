import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';

/** The folder with the dashboard and the alerts. */
export const monitoring = resolve(import.meta.dirname, '../../manifest/monitoring');

const rules = readFileSync(join(monitoring, 'alerts.yml'), 'utf8');

export const alertNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

/** The queries of the alerts. */
export const alertQueries = [...rules.matchAll(/^ +expr:(?: >-)?\s+((?:.+\n)+?) +(?:for|labels):/gm)].map(
  ([, query = '']) => query,
);

interface Dashboard {
  panels: { targets: { expr: string }[] }[];
}

/** The queries of the dashboard, with an interval instead of Grafana's variable. */
export function dashboardQueries(interval = '5m'): string[] {
  const { panels }: Dashboard = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8'));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', interval)));
}

/** A minute of the rules takes this long in a test, and is also the interval between two scrapes. */
const minuteMs = 2_500;

/** Starts Prometheus with the rules of the alerts, in which every time is shorter, until the test ends. */
export async function startPrometheus(target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-prometheus-'));
  const shortened = rules.replace(
    /(for: |\[)(\d+)([mh])/g,
    (_, before, count, unit) => `${before}${Number(count) * (unit === 'h' ? 60 : 1) * minuteMs}ms`,
  );
  await writeFile(join(folder, 'alerts.yml'), shortened);
  const interval = `${minuteMs}ms`;
  const config = {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'dropline', static_configs: [{ targets: [target] }] }],
  };
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const url = `127.0.0.1:${await freePort(0)}`;
  const options = { 'config.file': 'prometheus.yml', 'storage.tsdb.path': 'data', 'web.listen-address': url };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn('prometheus', args, { cwd: folder, stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  });
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://${url}/api/v1/${path}`);
    if (!response.ok) throw new Error(`Prometheus answers ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
  await expect
    .poll(() =>
      fetch(`http://${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  return {
    /** Resolves with the names of the alerts that fire now. */
    async firing(): Promise<string[]> {
      type Alert = { state: string; labels: { alertname: string } };
      const { alerts } = await ask<{ alerts: Alert[] }>('alerts');
      const firing = alerts.filter(({ state }) => state === 'firing');
      return [...new Set(firing.map(({ labels }) => labels.alertname))].sort();
    },
    /** Resolves with how many series the query has now. */
    async countSeries(query: string): Promise<number> {
      return (await ask<{ result: unknown[] }>(`query?query=${encodeURIComponent(query)}`)).result.length;
    },
  };
}
