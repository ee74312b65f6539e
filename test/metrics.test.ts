import { expect, test } from 'vitest';
import { createMetrics } from '../src/lib/metrics.ts';

test('counters are rendered in the Prometheus format, by name and label', () => {
  const metrics = createMetrics();
  metrics.count('dropline_jobs_total', { name: 'sweep', outcome: 'done' });
  metrics.count('dropline_jobs_total', { name: 'sweep', outcome: 'done' }, 2);
  metrics.count('dropline_jobs_total', { name: 'odd"\n\\', outcome: 'failed' });
  metrics.count('dropline_starts_total');
  expect(metrics.render().split('\n').slice(2)).toEqual([
    '# TYPE dropline_jobs_total counter',
    'dropline_jobs_total{name="sweep",outcome="done"} 3',
    'dropline_jobs_total{name="odd___",outcome="failed"} 1',
    '# TYPE dropline_starts_total counter',
    'dropline_starts_total 1',
    '',
  ]);
});
