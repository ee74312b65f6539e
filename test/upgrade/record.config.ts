import { defineConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** Runs the recorder, which is not one of the tests. */
export default defineConfig({ test: { ...config.test, include: ['test/upgrade/record.ts'], testTimeout: 300_000 } });
