import { defineConfig } from 'vitest/config';
import { reports } from './vitest.reports.ts';

export default defineConfig({
  test: {
    reporters: reports('slow'),
    include: ['test/**/*.slow.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
