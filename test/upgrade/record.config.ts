import { defineConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** Runs the recorder, which is not part of the test tiers. */
const { projects: _, ...options } = config.test ?? {};

export default defineConfig({
  test: { ...options, include: ['test/upgrade/record.ts'], globalSetup: 'test/global-setup.ts', testTimeout: 300_000 },
});
