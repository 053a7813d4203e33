import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { temporaryFolder } from './vitest.config.ts';
import { reports } from './vitest.reports.ts';

// Property tests of the fast suite always take the same seed: here they run again with a new one. CI has no new one.
const properties =
  process.env['CI'] === undefined
    ? globSync('test/**/*.test.ts').filter((file) =>
        readFileSync(file, 'utf8').includes('support/fast-check.ts'),
      )
    : [];
const seed = process.env['PROPERTY_SEED'] ?? String(randomInt(2 ** 31));
console.log(`Random tests run with PROPERTY_SEED=${seed}.`);

/** They take minutes each: one that began last left a core idle for as long. */
const LONG = [
  'properties/planted',
  'export/change-kills',
  'faults/kills',
  'fuzz/fuzz',
  'export/churn',
  'worker/fleet',
  'torture/torture',
  'listing/read-items',
  'ui/screens',
  'ui/kills',
  'ui/keyboard',
];

/** As those of the fast suite, only slower: files that share a process take half the time. */
const TOGETHER = [
  'test/import/!(*memory|*items|*postgres|two-writers).slow.test.ts',
  'test/{export,fuzz}/{diff,outcomes,round-trip,short-lists}.slow.test.ts',
  'test/cli/{language,next-command,setup}.slow.test.ts',
];
/** Files of a million rows: together they may need more memory than the machine has. */
const ON_DISK = ['test/**/{memory,large}.slow.test.ts'];
const SLOW = ['test/**/*.slow.test.ts', ...properties];
/** SQLite waits for the disk at each commit: on one, 100 random scenarios took half as much processor time again. */
const env = { PROPERTY_SEED: seed, ...temporaryFolder() };

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((part) => moduleId.includes(`/${part}`));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    reporters: reports('slow'),
    globalSetup: 'test/support/built-cli.ts',
    pool: 'forks',
    // Most of them wait for clocks, limits and children: fewer workers leave two cores idle.
    maxWorkers: 4,
    sequence: { sequencer: LongOnesFirst },
    // Generous: a machine may be ten times slower than usual, or stand still for a while.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: { name: 'apart', include: SLOW, exclude: [...TOGETHER, ...ON_DISK], env },
      },
      {
        extends: true,
        test: { name: 'on disk', include: ON_DISK, env: { PROPERTY_SEED: seed } },
      },
      {
        extends: true,
        test: { name: 'together', include: TOGETHER, isolate: false, env },
      },
    ],
  },
});
