import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the young generation of V8’s heap grows back to its set size after V8 has shrunk it, and not beyond', async () => {
  const program = join(import.meta.dirname, 'hold-heap-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { first, waiting, second } = JSON.parse(stdout) as Record<string, number>;
  expect(waiting).toBeLessThan(4);
  for (const size of [first, second]) {
    expect(size).toBeGreaterThan(12);
    expect(size).toBeLessThan(40);
  }
});
