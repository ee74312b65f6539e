import type { Done } from './hand.ts';
import type { Run } from './run.ts';

/** What was done, which faults struck, and how it ended. */
export function reportOn(runs: readonly Run[], problems: readonly string[]): string {
  const done = runs.flatMap((run) => run.done);
  const acts = tally(done.map(({ act }) => act.kind));
  const came = tally(done.map((one: Done) => one.came));
  const faults = new Map<string, number>();
  for (const { struck } of runs)
    for (const [name, number] of struck) faults.set(name, (faults.get(name) ?? 0) + number);
  const sum = (pick: (run: Run) => number) => runs.reduce((all, run) => all + pick(run), 0);
  const violations = runs.flatMap(({ seed, violations }) => violations.map((words) => `  seed ${seed}: ${words}`));
  return `${[
    '',
    `${runs.length} seeds, ${Math.round(sum(({ ms }) => ms) / runs.length)} ms each`,
    `actions: ${done.length} (${wordsOf(acts)}); ${wordsOf(came)}`,
    `faults: ${[...faults.values()].reduce((all, one) => all + one, 0)}`,
    ...[...faults].sort().map(([name, number]) => `  ${String(number).padStart(4)} ${name}`),
    `told as unknown: ${sum(({ unknown }) => unknown)}`,
    `repeated posts: ${sum(({ repeated }) => repeated)}`,
    `cards left behind: ${sum(({ stale }) => stale)}`,
    `violations: ${violations.length}`,
    ...violations,
    ...runs.filter((run) => run.violations.length > 0).flatMap(storyOf),
    ...problems.map((words) => `  ${words}`),
  ].join('\n')}\n`;
}

/** The acts and faults of a run that needs investigation. */
function storyOf({ seed, done, struck }: Run): string[] {
  const acts = done.map(({ act, workspace, person, came, trouble }) => {
    const why = trouble === '' ? '' : ` (${trouble.split('\n')[0]?.slice(0, 100)})`;
    return `    ${act.id} ${act.kind} by ${person} of ${workspace}: ${came}${why}`;
  });
  return [`  seed ${seed}: ${wordsOf(struck)}`, ...acts];
}

function tally(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const wordsOf = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, number]) => `${number} ${name}`).join(', ');
