import type { ActionResult } from './action-context.ts';
import type { Run } from './run.ts';

/** Counts of actions, faults, outcomes and violations, with details of failed runs. */
export function formatReport(runs: readonly Run[], problems: readonly string[]): string {
  const results = runs.flatMap((run) => run.results);
  const actions = countByName(results.map(({ action }) => action.kind));
  const outcomes = countByName(results.map((one: ActionResult) => one.progress));
  const decisions = countByName(runs.flatMap((run) => run.decisions.map(({ choice }) => choice)));
  const pauses = countByName(runs.flatMap((run) => run.pauses.map(({ target }) => target)));
  const repeated = countByName(
    results.flatMap(({ action, repeated }) => (repeated ? [`${action.kind} ${repeated}`] : [])),
  );
  const planned = countByName(results.flatMap(({ action }) => (action.kind === 'send' ? (action.planned ?? []) : [])));
  const ticks = results.flatMap((one) => one.ticks ?? []);
  const faults = new Map<string, number>();
  for (const { faultCounts } of runs)
    for (const [name, number] of faultCounts) faults.set(name, (faults.get(name) ?? 0) + number);
  const sum = (pick: (run: Run) => number) => runs.reduce((all, run) => all + pick(run), 0);
  const violations = runs.flatMap(({ seed, violations }) =>
    violations.map((violation) => `  seed ${seed}: ${violation}`),
  );
  return `${[
    '',
    `${runs.length} seeds, ${Math.round(sum(({ ms }) => ms) / runs.length)} ms each`,
    `actions: ${results.length} (${formatCounts(actions)}); ${formatCounts(outcomes)}`,
    `decisions: ${formatCounts(decisions) || 'none'}; pauses: ${formatCounts(pauses) || 'none'}`,
    `repeated: ${formatCounts(repeated) || 'none'}; points ticked off: ${ticks.length}, seen ${ticks.filter(({ isConfirmed }) => isConfirmed).length}`,
    `planned for later: ${formatCounts(planned) || 'none'}`,
    `clicks on inbox items: ${formatCounts(countByName(runs.flatMap(({ clicks }) => clicks.map(({ action }) => action)))) || 'none'}`,
    `files of channels shown: ${sum(({ sightings }) => sightings)}`,
    `faults: ${[...faults.values()].reduce((all, one) => all + one, 0)}`,
    ...[...faults].sort().map(([name, number]) => `  ${String(number).padStart(4)} ${name}`),
    `reported as unknown: ${sum(({ unknown }) => unknown)}`,
    `repeated posts: ${sum(({ repeated }) => repeated)}`,
    `stale cards: ${sum(({ stale }) => stale)}`,
    `reminders: ${sum(({ reminders }) => reminders)}`,
    `violations: ${violations.length}`,
    ...violations,
    ...runs.filter((run) => run.violations.length > 0).flatMap(detailsOf),
    ...problems.map((problem) => `  ${problem}`),
  ].join('\n')}\n`;
}

/** The actions and faults of a failed run. */
function detailsOf({ seed, results, faultCounts }: Run): string[] {
  const actions = results.map(({ action, workspace, person, progress, error }) => {
    const reason = error === '' ? '' : ` (${error.split('\n')[0]?.slice(0, 100)})`;
    return `    ${action.id} ${action.kind} by ${person} of ${workspace}: ${progress}${reason}`;
  });
  return [`  seed ${seed}: ${formatCounts(faultCounts)}`, ...actions];
}

function countByName(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const formatCounts = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, number]) => `${number} ${name}`).join(', ');
