import { appendFileSync } from 'node:fs';
import type { SerializedError, TestCase, TestModule, TestModuleState, TestRunEndReason } from 'vitest/node';
import { DefaultReporter } from 'vitest/node';
import { reasonOf } from './helpers/skip-reason.ts';

const slowestCount = 10;

/**
 * One line per file, failures in full, then the slowest files, what tests measured, which tests passed only when
 * retried, and why tests were skipped.
 */
export default class ShortReporter extends DefaultReporter {
  constructor() {
    super({ summary: false });
  }

  protected override printTestCase(state: TestModuleState, testCase: TestCase): void {
    if (testCase.result().state === 'failed') super.printTestCase(state, testCase);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    this.log(`${slowestFiles(modules)}\n`);
    const notes = annotations(modules);
    if (notes.length > 0) this.log(`Measured:\n${notes.join('\n')}\n`);
    const retried = retriedTests(modules);
    if (retried.length > 0) this.log(`Passed only when retried:\n${retried.join('\n')}\n`);
    const skips = skippedTests(modules);
    this.log(skips.length === 0 ? 'Skipped: none\n' : `Skipped:\n${skips.join('\n')}\n`);
    // CI prints these lines again at the end of its log.
    const { SKIPS_FILE } = process.env;
    if (SKIPS_FILE !== undefined) appendFileSync(SKIPS_FILE, skips.map((line) => `${line}\n`).join(''));
  }
}

function slowestFiles(modules: readonly TestModule[]): string {
  const lines = modules
    .map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, slowestCount)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
  return `Slowest files:\n${lines.join('\n')}`;
}

function annotations(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests()].flatMap((test) =>
      test.annotations().map(({ message }) => `  ${module.relativeModuleId}: ${message}`),
    ),
  );
}

function retriedTests(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('passed')]
      .filter((test) => test.diagnostic()?.flaky === true)
      .map((test) => `  ${module.relativeModuleId}: ${test.fullName}`),
  );
}

/** One line per reason and file, with the number of tests. */
function skippedTests(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => {
    const counts = new Map<string, number>();
    for (const test of module.children.allTests('skipped')) {
      const reason = reasonOf(test.fullName);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return [...counts].map(([reason, count]) => `  ${module.relativeModuleId}: ${count} (${reason})`);
  });
}
