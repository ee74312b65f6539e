import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    // A test that waits this long is broken, also on a busy machine.
    testTimeout: 30_000,
    // Most tests wait for something: a database, a socket, another process.
    maxWorkers: 3,
  },
});
