import { join, relative, resolve } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { FolderSequencer } from './test/sequencer.ts';

/** Each test file belongs to one tier, by its name: `npm test` runs the short one, `npm run test:deep` the rest. */
export const tiers = {
  short: { include: ['test/**/*.test.ts'], exclude: ['test/**/*.deep.test.ts'] },
  deep: { include: ['test/**/*.deep.test.ts'], exclude: [] },
};

// Named by each project: what stands in the root and is inherited runs twice.
const globalSetup = 'test/global-setup.ts';

const src = resolve(import.meta.dirname, 'src');

/**
 * Tests import the compiled `src`, which test/global-setup.ts makes: Node loads and runs it as in production, without
 * the accessors that Vite puts around every import.
 */
const compiledSrc: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'compiled-src',
  enforce: 'pre',
  resolveId(specifier, importer) {
    const { COMPILED_SRC: compiled } = process.env;
    if (compiled === undefined || importer === undefined || !specifier.startsWith('.')) return undefined;
    const path = relative(src, resolve(importer, '..', specifier));
    if (path.startsWith('..') || !path.endsWith('.ts')) return undefined;
    return { id: join(compiled, path.replace(/\.ts$/, '.js')), external: true };
  },
};

// Short-lived objects by the gigabyte: with more room for them, a fifth less processor time goes into collecting.
const execArgv = ['--max-semi-space-size=64'];

export default defineConfig({
  // The file .env is for the bot: a real DATABASE_URL must not reach a test.
  envDir: false,
  test: {
    reporters: ['./test/reporter.ts'],
    // What a test prints is shown only where it fails.
    silent: 'passed-only',
    // A test that waits this long waits in vain, even on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 40_000 } },
    // CI repeats a failed test once and names it; by hand nothing is repeated.
    retry: process.env.CI === undefined ? 0 : 1,
    sequence: { sequencer: FolderSequencer },
    // Most tests wait for something: a database, a socket, another process.
    maxWorkers: 3,
    execArgv,
    projects: [
      {
        extends: true,
        plugins: [compiledSrc],
        test: {
          name: 'short',
          ...tiers.short,
          server: { deps: { external: [/\/dropline-programs-[^/]+\/src\//] } },
          // The files of a worker share its modules: loading Bolt and the product takes longer than most files.
          isolate: false,
          // One more than in the deep tier keeps two cores busy. Another server than ours can lack the connections.
          maxWorkers: process.env.TEST_DATABASE_URL === undefined ? 4 : 3,
          execArgv: [...execArgv, '--enable-source-maps'],
          globalSetup,
        },
      },
      { extends: true, test: { name: 'deep', ...tiers.deep, globalSetup } },
    ],
  },
});
