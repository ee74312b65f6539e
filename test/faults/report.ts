import type { ActResult } from './act-context.ts';
import type { Run } from './run.ts';

/** Counts of acts, faults, outcomes and violations, with details of failed runs. */
export function reportOn(runs: readonly Run[], problems: readonly string[]): string {
  const results = runs.flatMap((run) => run.results);
  const acts = countByName(results.map(({ act }) => act.kind));
  const outcomes = countByName(results.map((one: ActResult) => one.progress));
  const faults = new Map<string, number>();
  for (const { faultCounts } of runs)
    for (const [name, number] of faultCounts) faults.set(name, (faults.get(name) ?? 0) + number);
  const sum = (pick: (run: Run) => number) => runs.reduce((all, run) => all + pick(run), 0);
  const violations = runs.flatMap(({ seed, violations }) => violations.map((words) => `  seed ${seed}: ${words}`));
  return `${[
    '',
    `${runs.length} seeds, ${Math.round(sum(({ ms }) => ms) / runs.length)} ms each`,
    `actions: ${results.length} (${formatCounts(acts)}); ${formatCounts(outcomes)}`,
    `faults: ${[...faults.values()].reduce((all, one) => all + one, 0)}`,
    ...[...faults].sort().map(([name, number]) => `  ${String(number).padStart(4)} ${name}`),
    `reported as unknown: ${sum(({ unknown }) => unknown)}`,
    `repeated posts: ${sum(({ repeated }) => repeated)}`,
    `stale cards: ${sum(({ stale }) => stale)}`,
    `violations: ${violations.length}`,
    ...violations,
    ...runs.filter((run) => run.violations.length > 0).flatMap(detailsOf),
    ...problems.map((words) => `  ${words}`),
  ].join('\n')}\n`;
}

/** The acts and faults of a failed run. */
function detailsOf({ seed, results, faultCounts }: Run): string[] {
  const acts = results.map(({ act, workspace, person, progress, error }) => {
    const reason = error === '' ? '' : ` (${error.split('\n')[0]?.slice(0, 100)})`;
    return `    ${act.id} ${act.kind} by ${person} of ${workspace}: ${progress}${reason}`;
  });
  return [`  seed ${seed}: ${formatCounts(faultCounts)}`, ...acts];
}

function countByName(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const formatCounts = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, number]) => `${number} ${name}`).join(', ');
