export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** A plain-text table: first column left-aligned, others right-aligned. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const format = (line: readonly string[]) =>
    widths
      .map((width, column) =>
        column === 0 ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width),
      )
      .join('  ');
  return `\n${title}\n${[format(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(format)].join('\n')}\n`;
}

/** The value below which this share of the values is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Point {
  size: number;
  cost: number;
}

/** How a cost grows with size, by the two largest sizes: small ones mostly show the fixed cost. */
export function growth(points: readonly Point[]): string {
  const [one, other] = points.slice(-2);
  if (one === undefined || other === undefined) return 'nobody can tell from one point';
  const [times, dearer] = [other.size / one.size, other.cost / one.cost];
  const exponent = Math.log(dearer) / Math.log(times);
  const word =
    exponent < 0.2 ? 'flat' : exponent < 0.85 ? 'less than linear' : exponent < 1.2 ? 'linear' : 'worse than linear';
  return `${word} (from ${one.size} to ${other.size}, ${times.toFixed(0)} times as much, costs ${dearer.toFixed(1)} times as much)`;
}
