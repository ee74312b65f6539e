import { defineConfig } from 'vitest/config';
import { FolderSequencer } from './test/sequencer.ts';

/** Each test file belongs to one tier, by its name: `npm test` runs the short one, `npm run test:deep` the rest. */
export const tiers = {
  short: { include: ['test/**/*.test.ts'], exclude: ['test/**/*.deep.test.ts'] },
  deep: { include: ['test/**/*.deep.test.ts'], exclude: [] },
};

// Named by each project: what stands in the root and is inherited runs twice.
const globalSetup = 'test/global-setup.ts';

export default defineConfig({
  // The file .env is for the bot: a real DATABASE_URL must not reach a test.
  envDir: false,
  test: {
    reporters: ['./test/reporter.ts'],
    // What a test prints is shown only where it fails.
    silent: 'passed-only',
    // A test that waits this long waits in vain, even on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // CI repeats a failed test once and names it; by hand nothing is repeated.
    retry: process.env.CI === undefined ? 0 : 1,
    sequence: { sequencer: FolderSequencer },
    // Most tests wait for something: a database, a socket, another process.
    maxWorkers: 3,
    // Short-lived objects by the gigabyte: with more room for them, a fifth less processor time goes into collecting.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      // The files of a worker share its modules: loading Bolt and the product for each one takes longer than its tests.
      { extends: true, test: { name: 'short', ...tiers.short, isolate: false, globalSetup } },
      { extends: true, test: { name: 'deep', ...tiers.deep, globalSetup } },
    ],
  },
});
