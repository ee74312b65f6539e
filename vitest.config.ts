import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    // Who waits this long waits in vain, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Real processes, sockets and a browser on a machine that is shared: of thousands of tests one may lose a race that
    // says nothing about the bot. It is tried once more, and the report names it. By hand nothing is tried twice.
    retry: process.env.CI === undefined ? 0 : 1,
    // Most tests wait for something: a database, a socket, another process.
    maxWorkers: 3,
  },
});
