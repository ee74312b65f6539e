export type Metrics = ReturnType<typeof createMetrics>;

/** Counters and a memory gauge in Prometheus text format. Labels hold only our own names, no workspaces or people. */
export function createMetrics() {
  const counters = new Map<string, Map<string, number>>();
  return {
    count(name: string, labels: Record<string, string> = {}, by = 1): void {
      const series = counters.get(name) ?? new Map<string, number>();
      counters.set(name, series);
      const key = Object.entries(labels)
        .map(([label, value]) => `${label}="${value.replace(/[\\"\n]/g, '_')}"`)
        .join(',');
      series.set(key, (series.get(key) ?? 0) + by);
    },
    render(): string {
      const memoryGauge = `# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes ${process.memoryUsage.rss()}\n`;
      const lines = [...counters].flatMap(([name, series]) => [
        `# TYPE ${name} counter`,
        ...[...series].map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`),
      ]);
      return `${memoryGauge}${lines.map((line) => `${line}\n`).join('')}`;
    },
  };
}
