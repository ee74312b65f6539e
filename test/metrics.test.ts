import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createMetrics, metricDefinitions } from '../src/lib/metrics.ts';
import { metricsRoutes } from '../src/process/health.ts';
import { setUpApp } from './helpers/app.ts';
import { user } from './helpers/exchange.ts';
import { startTestPostgres } from './helpers/postgres.ts';
import { isInstalled } from './helpers/proxies.ts';
import { serve } from './helpers/serve.ts';
import { testIf } from './helpers/skips.ts';

const postgres = startTestPostgres();

test('counters and histograms are rendered by name and label, with a help text', async () => {
  const metrics = createMetrics();
  metrics.count('dropline_jobs_total', { name: 'sweep', outcome: 'done' });
  metrics.count('dropline_jobs_total', { name: 'odd"\n\\', outcome: 'failed' }, 2);
  metrics.observe('dropline_job_duration_seconds', { name: 'sweep' }, 0.2);
  const lines = (await metrics.render()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      `# HELP dropline_jobs_total ${metricDefinitions.dropline_jobs_total?.help}`,
      '# TYPE dropline_jobs_total counter',
      'dropline_jobs_total{name="sweep",outcome="done"} 1',
      'dropline_jobs_total{name="odd\\"\\n\\\\",outcome="failed"} 2',
      'dropline_job_duration_seconds_bucket{le="0.1",name="sweep"} 0',
      'dropline_job_duration_seconds_bucket{le="0.5",name="sweep"} 1',
      'dropline_job_duration_seconds_sum{name="sweep"} 0.2',
    ]),
  );
});

test('the manual lists every metric with its type and labels', () => {
  const manual = readFileSync(new URL('../manifest/monitoring/README.md', import.meta.url), 'utf8');
  const rows = [...manual.matchAll(/^\| `(dropline_\w+)(?:\{([\w,]+)\})?`\*? \| (\w+) \|/gm)].map(
    ([, name = '', labels = '', type]) => [name, { labels, type }] as const,
  );
  const defined = Object.entries(metricDefinitions).map(([name, { labels = [], buckets }]) => {
    const type = name.endsWith('_total') ? 'counter' : buckets === undefined ? 'gauge' : 'histogram';
    return [name, { labels: labels.join(','), type }] as const;
  });
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(defined));
});

test('a gauge shows its current values, and is omitted without any', async () => {
  const metrics = createMetrics();
  const name = 'dropline_queue_jobs';
  expect(await metrics.render([{ name, labels: { state: 'waiting' }, value: 3 }])).toContain(
    `${name}{state="waiting"} 3`,
  );
  expect(await metrics.render([{ name, labels: { state: 'running' }, value: 1 }])).not.toContain('waiting');
  expect(await metrics.render()).not.toContain(name);
});

/** What `/metrics` shows after a command, some polls and a failed call of the service. */
async function readMetrics() {
  const app = await setUpApp(postgres, { pollMs: 200, isSeparate: true });
  const { anna, bo, exchange, services, acme } = app;
  services.metrics.collectNode();
  const url = await serve(createServer(metricsRoutes(services, 'all', undefined, undefined)));
  const read = async () => (await fetch(`${url}/metrics`)).text();
  await anna.types('/drop contacts', { in: '#general' });
  await anna.sees('Carl');
  exchange.addFault({ operation: 'get_history', kind: 'reset-before' });
  await expect.poll(read).toMatch(/^dropline_poll_delay_seconds_count\{outcome="failed"\} 1$/m);
  return { text: await read(), names: [acme.id, acme.name, anna.id, bo.id, user, exchange.url, 'example.'] };
}

test('what the bot does is measured, without naming tenants or people', async () => {
  const { text, names } = await readMetrics();
  const expected = [
    'dropline_service_call_duration_seconds_count{operation="readContacts",outcome="ok"} ',
    'dropline_service_call_duration_seconds_count{operation="readHistory",outcome="cut-short"} 1',
    'dropline_slack_call_duration_seconds_count{method="views.open",outcome="ok"} 1',
    'dropline_slack_ack_duration_seconds_count{kind="command",outcome="in time"} 1',
    'dropline_poll_delay_seconds_bucket{le="+Inf",outcome="done"} ',
    'dropline_queue_jobs{state="waiting"} 0',
    'dropline_queue_oldest_seconds 0',
    'dropline_database_connections{state="idle"} ',
    'dropline_ready{part="database"} 1',
    'dropline_build_info{version="0.1.0",role="all"} 1',
    'nodejs_eventloop_lag_p99_seconds ',
  ];
  expect(expected.filter((series) => !text.includes(`\n${series}`))).toEqual([]);
  expect(names.filter((name) => text.includes(name))).toEqual([]);
});

testIf(
  isInstalled('promtool', '--version'),
  'promtool not found',
  'promtool has no complaint about the metrics',
  async () => {
    const { text } = await readMetrics();
    const check = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect(check).toMatchObject({ status: 0, stdout: '', stderr: '' });
  },
);
