import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder with the dashboard and the alerts. */
export const monitoring = resolve(import.meta.dirname, '../../manifest/monitoring');

interface Dashboard {
  panels: { targets: { expr: string }[] }[];
}

/** The queries of the dashboard, with an interval instead of Grafana's variable. */
export function dashboardQueries(interval = '5m'): string[] {
  const { panels }: Dashboard = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8'));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', interval)));
}
