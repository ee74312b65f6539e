import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { metricDefinitions } from '../src/lib/metrics.ts';
import { metricsRoutes } from '../src/process/health.ts';
import { setUpApp } from './helpers/app.ts';
import { alertNames, alertQueries, dashboardQueries, monitoring } from './helpers/monitoring.ts';
import { startTestPostgres } from './helpers/postgres.ts';
import { isInstalled } from './helpers/proxies.ts';
import { serve } from './helpers/serve.ts';
import { describeIf } from './helpers/skips.ts';

const postgres = startTestPostgres();

/** Metrics in a query, with their labels in it: in a selector, or in the grouping of the whole query. */
function metricsIn(query: string): { name: string; labels: string[] }[] {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, */));
  return [...query.matchAll(/\b((?:dropline|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => ({
      name: name.replace(/_(?:bucket|count|sum)$/, ''),
      labels: [...grouped, ...[...selector.matchAll(/(\w+)=/g)].map(([, label = '']) => label)],
    }),
  );
}

test('dashboard and alerts use only metrics and labels that a running bot exposes', async () => {
  const { services } = await setUpApp(postgres, { isSeparate: true });
  services.metrics.collectNode();
  const socket = { openConnections: () => 2 };
  const url = await serve(createServer(metricsRoutes(services, 'all', undefined, socket)));
  const text = await (await fetch(`${url}/metrics`)).text();
  const exposed = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  expect(alertQueries).toHaveLength(alertNames.length);
  const used = [...dashboardQueries(), ...alertQueries].flatMap(metricsIn);
  expect(used.length).toBeGreaterThan(30);
  expect(used.filter(({ name }) => !exposed.has(name))).toEqual([]);
  // Prometheus adds `instance`, and histograms have `le`.
  const labelsOf = (name: string) => ['instance', 'le', ...(metricDefinitions[name]?.labels ?? [])];
  expect(used.filter(({ name, labels }) => labels.some((label) => !labelsOf(name).includes(label)))).toEqual([]);
});

test('the manual says of each alert what it means, what to look at, what to do', () => {
  const manual = readFileSync(join(monitoring, 'README.md'), 'utf8');
  const entries = [
    ...manual.matchAll(
      /^### (\w+)\n\n- \*\*Means:\*\* .+\n(?: .+\n)*- \*\*Look at:\*\* .+\n(?: .+\n)*- \*\*Do:\*\* /gm,
    ),
  ];
  expect(entries.map(([, name]) => name)).toEqual(alertNames);
});

describeIf(isInstalled('promtool', '--version'), 'promtool not found', 'with promtool', () => {
  const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: monitoring, encoding: 'utf8' });

  test('the rules of the alerts are valid, and each fires in a test of its own', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 });
    expect(promtool('test', 'rules', 'alerts.test.yml')).toMatchObject({ status: 0 });
    const tested = readFileSync(join(monitoring, 'alerts.test.yml'), 'utf8');
    const fired = [...tested.matchAll(/alertname: (\w+)\n.+\n +exp_alerts:\n +- /g)].map(([, name]) => name);
    expect(fired.toSorted()).toEqual(alertNames.toSorted());
  });

  test('every query of the dashboard is valid', async () => {
    const record = (expr: string, index: number) => ({ record: `query:${index}`, expr });
    const groups = [{ name: 'dashboard', rules: dashboardQueries().map(record) }];
    const folder = await mkdtemp(join(tmpdir(), 'dropline-rules-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'rules.json'), JSON.stringify({ groups }));
    expect(promtool('check', 'rules', join(folder, 'rules.json'))).toMatchObject({ status: 0, stderr: '' });
  });
});
