import { median, table } from './figures.ts';
import type { Figures, RecordedFigure } from './saved-run.ts';

export interface Comparison {
  name: string;
  unit: string;
  /** Medians; undefined if the figure is missing. */
  before?: number;
  after?: number;
  /** The larger of the two spreads: changes up to this size can be noise. */
  spread?: number;
  mark: 'worse' | 'better' | 'same' | 'new' | 'missing';
}

/** All figures: first those in `after`, in its order, then those that only `before` has. */
export function compareFigures(before: Figures, after: Figures): Comparison[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].map((name) => ({ name, ...compareFigure(before[name], after[name]) }));
}

function compareFigure(before?: RecordedFigure, after?: RecordedFigure): Omit<Comparison, 'name'> {
  const unit = (after ?? before)?.unit ?? '';
  if (before === undefined) return { unit, after: median(after?.values ?? []), mark: 'new' };
  if (after === undefined) return { unit, before: median(before.values), mark: 'missing' };
  const medians = { before: median(before.values), after: median(after.values) };
  const spread = Math.max(spreadOf(before.values), spreadOf(after.values));
  const improvement = (medians.after - medians.before) * (after.better === 'higher' ? 1 : -1);
  return { unit, ...medians, spread, mark: improvement > spread ? 'better' : improvement < -spread ? 'worse' : 'same' };
}

const spreadOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

export function comparisonTable(title: string, comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ name, unit, before, after, spread, mark }) => [
    name,
    format(before, unit),
    format(after, unit),
    before && after !== undefined ? percent((after - before) / before, { signed: true }) : '-',
    before && spread !== undefined ? percent(spread / before) : '-',
    mark === 'same' ? '' : mark,
  ]);
  const count = (mark: Comparison['mark']) => comparisons.filter((one) => one.mark === mark).length;
  const counts = `${count('worse')} worse, ${count('better')} better, ${count('same')} within the spread`;
  const newAndMissing = `${count('new')} new, ${count('missing')} missing`;
  return `${table(title, ['figure', 'before', 'after', 'change', 'spread', ''], rows)}\n${counts}, ${newAndMissing}.\n`;
}

function format(value: number | undefined, unit: string): string {
  if (value === undefined) return '-';
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${unit}`.trim();
}

function percent(share: number, { signed = false } = {}): string {
  return `${signed && share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
}
