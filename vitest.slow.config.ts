import { defineConfig } from 'vitest/config';
import { reports } from './vitest.reports.ts';

export default defineConfig({
  test: {
    reporters: reports('slow'),
    include: ['test/**/*.slow.test.ts'],
    pool: 'forks',
    // Most of them wait for clocks, limits and children: one at a time left a core idle, and took sixteen minutes.
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
