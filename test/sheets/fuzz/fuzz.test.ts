import { describe, expect, it } from 'vitest';
import { newPath } from '../support/files.ts';
import { readSpoiled } from './read-spoiled.ts';

// Ten thousand of each are read in the slow tests.
describe('a spoiled file is read, or refused by name', () => {
  it.each(['csv', 'xlsx', 'xls', 'ods'] as const)('200 of %s', async (kind) => {
    const outcomes = new Set<string>();
    for (let number = 0; number < 200; number += 1) {
      outcomes.add(await readSpoiled(kind, number, newPath(kind)));
    }
    expect(outcomes).toContain('read');
    expect(outcomes.size).toBeGreaterThan(kind === 'csv' ? 1 : 4);
  });
});
