import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { reports } from './vitest.reports.ts';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 31;

/** Waiting for the disk took half of many a test's time, and no test here cuts the power. */
export function temporaryFolder(): Record<string, string> {
  if (!existsSync(IN_MEMORY)) return {};
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === IN_MEMORY);
  // In containers it is small, and no program may be run from it.
  return bavail * bsize < ROOM_BYTES || mount === undefined || mount.includes('noexec')
    ? {}
    : { TMPDIR: IN_MEMORY };
}

// `npm test` runs everything under test/ but the slow suite, which `npm run test:slow` runs by itself.
export default defineConfig({
  test: {
    reporters: reports('fast'),
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.slow.test.ts', 'node_modules/**'],
    pool: 'forks',
    // Files share a process: loading the modules anew for each of them took half of the processor time. So a test leaves
    // nothing behind, and support modules clean up with `onTestFinished`, not with hooks of their own.
    isolate: false,
    env: temporaryFolder(),
    // Many tests wait for a clock, a child process or a server: one worker for two cores left a half idle.
    maxWorkers: 3,
    // Generous: on a busy machine a test of child processes takes many times its usual time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
