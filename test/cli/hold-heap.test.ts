import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('after V8 has shrunk the young generation of its heap, it grows back to the configured size and no further', async () => {
  const program = join(import.meta.dirname, 'hold-heap-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { first, waiting, second } = JSON.parse(stdout) as Record<string, number>;
  expect(waiting).toBeLessThan(4);
  for (const size of [first, second]) {
    expect(size).toBeGreaterThan(12);
    expect(size).toBeLessThan(40);
  }
});
