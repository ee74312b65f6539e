import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

interface Definition {
  help: string;
  labels?: readonly string[];
  /** Upper bounds of a histogram's buckets, in seconds. */
  buckets?: number[];
}

const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const counters = {
  dropline_approvals_total: { help: 'Approvals: asked, approved, declined, expired, cancelled.', labels: ['outcome'] },
  dropline_checklist_points_total: { help: 'Points of checklists: ticked, unticked.', labels: ['change'] },
  dropline_digests_total: { help: 'Posts of digests, by how often they are due.', labels: ['every'] },
  dropline_inbox_work_total: { help: 'Clicks on Take, Done and Reopen.', labels: ['action', 'outcome'] },
  dropline_jobs_total: { help: 'Attempts of background jobs, by kind.', labels: ['name', 'outcome'] },
  dropline_paused_transfers_total: { help: 'Transfers that had to wait because of a pause.', labels: ['kind'] },
  dropline_pauses_total: { help: 'Pauses and resumes by admins.', labels: ['target', 'change'] },
  dropline_reminders_total: { help: 'Reminders, by what they are about.', labels: ['about', 'outcome'] },
  dropline_scans_total: { help: 'Files that were scanned for malware, or should have been.', labels: ['verdict'] },
} as const satisfies Record<string, Definition>;

const histograms = {
  dropline_job_duration_seconds: {
    help: 'Time of an attempt of a background job, including the wait for the lock of its account.',
    labels: ['name'],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800],
  },
  dropline_poll_delay_seconds: {
    help: 'Time from when a poll of an inbox was due until it was done.',
    labels: ['outcome'],
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900],
  },
  dropline_scan_duration_seconds: {
    help: 'Time from the first byte of a file to the verdict of the malware scanner.',
    labels: ['verdict'],
    buckets: callBuckets,
  },
  dropline_service_call_duration_seconds: {
    help: 'Time of a call of the file-exchange service, including the wait for one of the calls of its workspace.',
    labels: ['operation', 'outcome'],
    buckets: callBuckets,
  },
  dropline_slack_ack_duration_seconds: {
    help: 'Time until Slack got its acknowledgement. Slack waits three seconds.',
    labels: ['kind', 'outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
  },
  dropline_slack_call_duration_seconds: {
    help: 'Time of a call of the Slack API.',
    labels: ['method', 'outcome'],
    buckets: callBuckets,
  },
} as const satisfies Record<string, Definition>;

const gauges = {
  dropline_approvals_waiting: { help: 'Transfers that wait for approval, in all workspaces.' },
  dropline_build_info: { help: 'The version and role of this process. Always 1.', labels: ['version', 'role'] },
  dropline_database_connections: { help: 'Pooled database connections of this process.', labels: ['state'] },
  dropline_database_waiting: { help: 'Queries of this process that wait for a pooled connection.' },
  dropline_paused_workspaces: { help: 'Workspaces in which an admin has paused something.', labels: ['target'] },
  dropline_queue_jobs: { help: 'Background jobs in the database, by what they wait for.', labels: ['state'] },
  dropline_queue_oldest_seconds: { help: 'How long the oldest job has waited for a worker.' },
  dropline_ready: { help: 'Whether a part of this process works, as in /readyz.', labels: ['part'] },
  dropline_slack_connections: { help: 'Open Socket Mode connections of this process. Two are normal.' },
} as const satisfies Record<string, Definition>;

/** From 1.0 on, these names and labels never change. Labels hold only our own words, no workspaces or people. */
export const metricDefinitions: Record<string, Definition> = { ...counters, ...histograms, ...gauges };

type Labels<D extends Definition> = D extends { labels: readonly (infer Label extends string)[] }
  ? Record<Label, string>
  : Record<string, never>;

export type Metrics = ReturnType<typeof createMetrics>;

/** What features use. */
export type Meter = Pick<Metrics, 'count' | 'observe'>;

/** The value of a gauge when the metrics are read. */
export interface GaugeValue {
  name: keyof typeof gauges;
  labels?: Record<string, string>;
  value: number;
}

export function createMetrics() {
  const registry = new Registry();
  const created = {
    counters: createEach(counters, (options) => new Counter({ ...options, registers: [registry] })),
    histograms: createEach(histograms, (options) => new Histogram({ ...options, registers: [registry] })),
  };
  return {
    count<Name extends keyof typeof counters>(name: Name, labels: Labels<(typeof counters)[Name]>, by = 1): void {
      created.counters[name].inc(labels, by);
    },
    observe<Name extends keyof typeof histograms>(
      name: Name,
      labels: Labels<(typeof histograms)[Name]>,
      seconds: number,
    ): void {
      created.histograms[name].observe(labels, seconds);
    },
    /** Adds Node's own metrics. */
    collectNode(): void {
      collectDefaultMetrics({ register: registry });
      // Gauges that are named like counters. The ones without `_total` have the same values, by type.
      for (const kind of ['handles', 'requests', 'resources'])
        registry.removeSingleMetric(`nodejs_active_${kind}_total`);
    },
    /** Resolves with everything in the Prometheus text format. Gauges without a value are omitted. */
    async render(values: readonly GaugeValue[] = []): Promise<string> {
      const current = new Registry();
      const read = createEach(gauges, (options) => new Gauge({ ...options, registers: [] }));
      for (const { name, labels = {}, value } of values) {
        read[name].set(labels, value);
        current.registerMetric(read[name]);
      }
      return `${await registry.metrics()}${await current.metrics()}`;
    },
    contentType: registry.contentType,
  };
}

/** Creates one metric for each definition. */
function createEach<Name extends string, Metric>(
  definitions: Record<Name, Definition>,
  create: (options: { name: string; help: string; labelNames: readonly string[]; buckets?: number[] }) => Metric,
): Record<Name, Metric> {
  const entries = Object.entries<Definition>(definitions).map(([name, { labels: labelNames = [], ...rest }]) => [
    name,
    create({ name, labelNames, ...rest }),
  ]);
  return Object.fromEntries(entries);
}
