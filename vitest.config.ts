import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A test that waits this long is broken; none of them sleeps.
    testTimeout: 20_000,
  },
});
