import { matchesGlob, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { mutate } from './mutants.ts';

const root = new URL('../..', import.meta.url).pathname;
const mutated = (process.env['MUTATE'] ?? '').split(' ');

export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform(code, id) {
        const file = relative(root, id);
        return mutated.some((glob) => matchesGlob(file, glob)) ? mutate(file, code).text : undefined;
      },
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [],
    runner: 'test/mutation/runner.ts',
    reporters: ['default'],
    // A module is transformed anew if other files are mutated.
    fsModuleCache: false,
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    bail: 0,
    testTimeout: 1e8,
    hookTimeout: 180_000,
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
