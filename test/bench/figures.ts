export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** A plain-text table: the first column is left-aligned, all other columns right-aligned. */
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

/** The value that `share` of all values are below. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Point {
  size: number;
  cost: number;
}

/** How a cost grows between the two largest sizes. Smaller sizes mostly show the fixed cost. */
export function growth(points: readonly Point[]): string {
  const [smaller, larger] = points.slice(-2);
  if (smaller === undefined || larger === undefined) return 'unknown (one size only)';
  const [sizeRatio, costRatio] = [larger.size / smaller.size, larger.cost / smaller.cost];
  const exponent = Math.log(costRatio) / Math.log(sizeRatio);
  const description =
    exponent < 0.2 ? 'flat' : exponent < 0.85 ? 'less than linear' : exponent < 1.2 ? 'linear' : 'worse than linear';
  return `${description} (${smaller.size} to ${larger.size}: size x ${sizeRatio.toFixed(0)}, cost x ${costRatio.toFixed(1)})`;
}
