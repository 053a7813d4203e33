import { defineConfig } from 'vitest/config';
import { reports } from './vitest.reports.ts';

// `npm test` runs everything under test/ but the slow suite, which `npm run test:slow` runs by itself.
export default defineConfig({
  test: {
    reporters: reports('fast'),
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.slow.test.ts', 'node_modules/**'],
    pool: 'forks',
    // Many tests wait for a clock, a child process or a server: one worker for two cores left a half idle.
    maxWorkers: 3,
    // Generous: on a busy machine a test of child processes takes many times its usual time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
